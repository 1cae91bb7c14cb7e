// For the pages of the examples and of tests: an element that is found by a selector is what the page's own HTML says, and what tests put into
// the window is theirs. The list itself has its types (live-list.d.ts).

interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
  querySelector(selector: string): any;
}

interface Window {
  measures: Record<string, number[]>;
  events: { type: string; detail: unknown }[];
  snapshot: (count: number, options?: { seq?: number; sections?: number }) => object;
  change: (seq: number, members: object) => object;
  ready: boolean;
}
