// The modules of the bundle of one file: see scripts/package-element.
import './styles-inside.js';
export { LiveList } from '../../Sources/ListStream/Browser/live-list.js';
export { Refusal } from '../../Sources/ListStream/Browser/outbox.js';
