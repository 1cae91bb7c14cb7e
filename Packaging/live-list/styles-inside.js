// The style sheets as texts, before the element looks for them. `.css` is text here: a setting of scripts/package-element.
import { embedded } from '../../Sources/ListStream/Browser/styles.js';
import list from '../../Sources/ListStream/Browser/live-list.css';
import reordering from '../../Sources/ListStream/Browser/reordering.css';

Object.assign(embedded, { 'live-list': list, reordering });
