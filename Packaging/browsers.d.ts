// What the browsers that the element needs have, and the type checker's own library does not know yet.

interface ReadonlyArray<T> {
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
}
interface Array<T> {
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
}

interface ParentNode {
  moveBefore?(node: Node, next: Node | null): void;
}

interface CloseWatcher extends EventTarget {
  destroy(): void;
}
declare var CloseWatcher: { new (): CloseWatcher } | undefined;

interface HTMLElement {
  popover: string | null;
  showPopover(): void;
  hidePopover(): void;
}

/** Of a shared worker. */
declare var onconnect: ((event: MessageEvent) => void) | null;

declare class DecompressionStream {
  constructor(format: 'deflate-raw');
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
