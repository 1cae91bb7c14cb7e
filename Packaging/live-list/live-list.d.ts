// The types of <live-list>. What everything means is in Documentation/LiveListElement.md.

/** The destination of a move: after one item, or before another; both null for nowhere in particular. */
export interface LiveListDestination {
  after?: string | null;
  before?: string | null;
  section?: string;
}

/** All items of a long list but some; as JSON `{version, except}`. */
export interface LiveListAllExcept extends Iterable<string> {
  readonly length: number;
  has(id: string): boolean;
  toJSON(): { version: string; except: string[] };
}

/** The items of an action: ids in list order, or of a long list everything but some. */
export type LiveListItems = string[] | LiveListAllExcept;

export interface LiveListItemInfo {
  id: string;
  index: number;
}

export interface LiveListSectionInfo {
  id: string;
  count: number;
}

export type LiveListDraw<Content> = (cell: HTMLElement, content: Content | undefined, info: LiveListItemInfo) => void;

export interface LiveListRenderer<Content> {
  draw: LiveListDraw<Content>;
  /** Called before a cell is put away: the item is gone, or scrolled out of sight. */
  discard?(cell: HTMLElement): void;
}

/** A request to post as JSON, which can be kept beyond the page. */
export interface LiveListPost {
  url: string;
  body: object;
}

export interface LiveListMenuEntry {
  label: string;
  action(): void;
  isDestructive?: boolean;
  isDisabled?: boolean;
  /** The lines of a picture, as the `d` of an SVG path in a box of 24 by 24. */
  icon?: string;
  /** The key that does the same, such as `Delete`: it is shown, and not listened to. */
  shortcut?: string;
}

export interface LiveListPending {
  act: string;
  kind: 'move' | 'delete';
  ids: LiveListItems;
  isAccepted: boolean;
}

/**
 * Sends a mutation in the page's own way, and is called for each try. The status of a `Response` decides; a `Refusal` that is thrown takes the
 * mutation back, any other error is tried again, and so is what has not settled within 30 seconds. A promise cannot be had again: what fails then,
 * or takes longer, takes the mutation back.
 */
export type LiveListAnswer = ((post: (url: string, body: object) => Promise<any>) => unknown) | Promise<unknown>;

export type LiveListState = 'connected' | 'reconnecting' | 'outdated';

export interface LiveListEventDetails {
  'live-list-change': { count: number };
  'live-list-rows': Record<string, never>;
  'live-list-activate': { id: string };
  'live-list-selection': { count: number };
  'live-list-reorder': {
    act: string; kind: 'move'; ids: LiveListItems;
    /** The item that they should follow, and the one that they should precede; null at an end. */
    after: string | null; before: string | null;
    /** The section that they go to, where the move names one. */
    section?: string;
    respondWith(answer: LiveListAnswer): void;
  };
  'live-list-delete': {
    act: string; kind: 'delete'; ids: LiveListItems; label?: unknown;
    respondWith(answer: LiveListAnswer): void;
  };
  'live-list-refused': {
    act: string; kind: 'move' | 'delete'; ids: LiveListItems; label?: unknown; message: string; status: number;
    /** Null where the server would answer the same again. */
    retry: (() => void) | null;
    isLeft?: false;
  } | {
    /** It was made on a page that was closed; `url` and `body` are those of its request. */
    isLeft: true; url: string; body: object; act: string; message: string; status: number; retry: null;
    /** Undefined for what was sent by `enqueue`. */
    kind?: 'move' | 'delete'; label?: unknown;
    /** As in the body of the request. */
    ids?: string[] | { version: string; except: string[] };
  };
  'live-list-waiting': { count: number; message?: string };
  'live-list-old': { count: number; since: number; send(): void; discard(): void };
  'live-list-unchanged': { act: string };
  'live-list-answer': { act: string; answer: any };
  'live-list-drop': { ids: LiveListItems; target: HTMLElement };
  'live-list-state': { state: LiveListState };
  /** Parts of the element that could not be fetched, or are late; empty: all that were wanted are here. */
  'live-list-missing': { missing: string[] };
  'live-list-failure': { message: string | null };
}

export type LiveListEventMap = { [Name in keyof LiveListEventDetails]: CustomEvent<LiveListEventDetails[Name]> };

export declare class LiveList<Content = any> extends HTMLElement {
  static readonly observedAttributes: string[];

  // The attributes; null: there is none.
  get src(): string | null;
  set src(value: string | null);
  get items(): string | null;
  set items(value: string | null);
  get moves(): string | null;
  set moves(value: string | null);
  get deletes(): string | null;
  set deletes(value: string | null);
  get streams(): string | null;
  set streams(value: string | null);
  get outbox(): string | null;
  set outbox(value: string | null);
  get labelKey(): string | null;
  set labelKey(value: string | null);
  get reorder(): boolean;
  set reorder(value: boolean);
  get selectable(): boolean;
  set selectable(value: boolean);
  get editing(): boolean;
  set editing(value: boolean);
  get headers(): boolean;
  set headers(value: boolean);

  get renderer(): LiveListRenderer<Content> | undefined;
  set renderer(renderer: LiveListRenderer<Content> | LiveListDraw<Content> | undefined);
  set headerRenderer(draw: (cell: HTMLElement, section: LiveListSectionInfo) => void);
  set label(label: (content: Content | undefined) => string);
  set menuItems(items: (ids: LiveListItems) => (LiveListMenuEntry | null)[]);
  set strings(strings: Record<string, unknown>);
  set onMeasure(callback: ((name: string, milliseconds: number) => void) | undefined);
  set kept(ids: string[]);
  get selection(): string[];
  set selection(ids: string[]);

  readonly count: number;
  readonly isLoaded: boolean;
  readonly version: string | null;
  readonly pending: LiveListPending[];
  readonly waiting: number;
  readonly selectionCount: number;
  readonly selected: LiveListItems;
  readonly statistics: Record<string, number>;

  isKnown(index: number): boolean;
  ids(from?: number, to?: number): (string | undefined)[];
  load(from: number, to: number, options?: { idsAlone?: boolean }): Promise<void>;
  indexOf(id: string): number;
  contentOf(id: string): Content | undefined;
  selectAll(): void;
  receive(frame: unknown): void;
  /** Throws a `TypeError` for what are no ids; null if the page forbade it, or none of them is in the list. So does `delete`. */
  move(ids: LiveListItems, destination?: LiveListDestination): string | null;
  delete(ids: LiveListItems, options?: { send?: LiveListPost | ((act: string) => Promise<unknown>); label?: unknown }): string | null;
  enqueue<Answer = any>(send: LiveListPost | ((post: (url: string, body: object) => Promise<any>) => Promise<Answer>)): Promise<Answer>;
  own(ids: string[] | Promise<string[]>): void;
  startMoving(ids: LiveListItems): void;
  reveal(id: string): void;
  focusItem(id: string): void;
  /** Before the first frame it waits for that; a position that is not in the list is ignored. */
  focusIndex(index: number): void;
  announce(text: string): void;
  redraw(): void;
  /** What is at a point of the screen stays there; without one what has the focus and is seen, or what is first. */
  invalidateLayout(point?: { x: number; y: number }): void;

  addEventListener<Name extends keyof LiveListEventMap>(
    type: Name, listener: (this: LiveList<Content>, event: LiveListEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name, listener: (this: LiveList<Content>, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof LiveListEventMap>(
    type: Name, listener: (this: LiveList<Content>, event: LiveListEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** Thrown by what `delete` and `enqueue` are given to send with, where it is no use to try again. */
export declare class Refusal extends Error {
  constructor(message: string, status?: number);
  readonly status: number;
}

declare global {
  interface HTMLElementTagNameMap {
    'live-list': LiveList;
  }

  // They bubble: listened for on a parent, too. They do not leave a shadow root.
  interface HTMLElementEventMap extends LiveListEventMap {}
  interface ShadowRootEventMap extends LiveListEventMap {}
  interface DocumentEventMap extends LiveListEventMap {}
  interface WindowEventMap extends LiveListEventMap {}
}
