// Motion: first, last, invert, play. Only what is visible moves, and from where it is painted, so a change that
// comes in the middle of another is not a jump. Travel is on the property `translate`, which leaves the
// `transform` of the row, its position, alone. Growing and shrinking is on the cell: of the row it would scale the position, too.

const TRAVEL = { duration: 200, easing: 'cubic-bezier(.2,0,0,1)' };
const FADE_OUT = { duration: 150, easing: 'ease-out' };
const CROSS_FADE = { duration: 120, easing: 'ease-out' };
const FLASH = 700;
const MAXIMUM_TRAVELLING = 60;

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {Map<string, { x: number, y: number }>} Painted where rows are painted, by their keys */

/** @param {import('../controller.js').Controller} list */
export const part = ({ view }) => (view.motion = new Motion(view.layer, view.rows));

export class Motion {
  #layer;
  #rows;

  /**
   * @param {HTMLElement} layer the element that holds what is fading out
   * @param {import('./rows.js').Rows} rows
   */
  constructor(layer, rows) {
    this.#layer = layer;
    this.#rows = rows;
    this.query = matchMedia('(prefers-reduced-motion: reduce)');
  }

  get isReduced() {
    return this.query.matches;
  }

  /**
   * Where each visible row is painted now, relative to the viewport.
   * @param {Iterable<Row>} rows
   * @param {number} top
   * @param {number} viewport
   * @param {number} height
   */
  capture(rows, top, viewport, height) {
    /** @type {Painted} */
    const painted = new Map();
    for (const row of rows) {
      if (row.isWaiting) continue;
      let { x, y } = row;
      if (row.animation?.playState === 'running') {
        const [dx = 0, dy = 0] = getComputedStyle(row.node).translate.split(' ').map(parseFloat);
        x += dx || 0;
        y += dy || 0;
      }
      if (y - top < viewport && y - top + height > 0) painted.set(row.key, { x, y: y - top });
    }
    return painted;
  }

  /**
   * Plays from what `capture` gave to the present positions. `isNew(id)` says whether an item has just come;
   * others that were not visible come from elsewhere in the list.
   * @param {Iterable<Row>} rows
   * @param {Painted} painted
   * @param {number} top
   * @param {number} viewport
   * @param {number} height
   * @param {(id: string) => boolean} isNew
   */
  play(rows, painted, top, viewport, height, isNew) {
    /** @type {[Row, number, number][]} */
    const travelling = [];
    const arriving = [];
    for (const row of rows) {
      const y = row.y - top;
      const visible = y < viewport && y + height > 0;
      const from = painted.get(row.key);
      if (from) {
        if (from.x !== row.x || Math.abs(from.y - y) > 0.5) travelling.push([row, from.x - row.x, from.y - y]);
        else if (row.animation) this.#run(row, null);
      } else if (visible && !row.isWaiting) {
        arriving.push(row);
      }
    }
    if (this.isReduced || travelling.length + arriving.length > MAXIMUM_TRAVELLING) {
      const changed = [...travelling.map(([row]) => row), ...arriving];
      for (const row of changed) this.#run(row, { opacity: [0, 1] }, CROSS_FADE);
      return;
    }
    for (const [row, dx, dy] of travelling) this.#run(row, { translate: [`${dx}px ${dy}px`, '0px 0px'] }, TRAVEL);
    for (const row of arriving) {
      this.#run(row, { opacity: [0, 1] }, TRAVEL);
      if (row.id !== null && isNew(row.id)) row.cell.animate({ scale: [0.96, 1] }, TRAVEL);
    }
  }

  /**
   * Lets rows that left fade where they were, out of flow; `done` gets them back.
   * @param {Row[]} rows
   * @param {Painted} painted
   * @param {number} top
   * @param {number} offset
   * @param {(rows: Row[]) => void} done
   */
  leave(rows, painted, top, offset, done) {
    const seen = rows.filter((row) => painted.has(row.key));
    if (seen.length === 0 || seen.length > MAXIMUM_TRAVELLING) {
      done(rows);
      return;
    }
    const fading = new Set(seen);
    done(rows.filter((row) => !fading.has(row)));
    for (const row of seen) {
      const { x, y } = /** @type {{ x: number, y: number }} */ (painted.get(row.key));
      this.#run(row, null);
      this.#layer.append(row.node);
      row.node.style.margin = '0'; // that of a header
      row.node.style.transform = `translate(${x}px,${y + top - offset}px)`;
      const animation = row.node.animate({ opacity: [1, 0] }, FADE_OUT);
      const shrink = this.isReduced ? null : row.cell.animate({ scale: [1, 0.96] }, FADE_OUT);
      const finish = () => {
        shrink?.cancel(); // the node may be another item's from now on
        done([row]);
      };
      animation.onfinish = finish;
      animation.oncancel = finish;
    }
  }

  /**
   * Marks items that somebody else has moved, or the keyboard.
   * @param {Iterable<string>} ids
   */
  flash(ids) {
    for (const id of ids) {
      const row = this.#rows.get(id);
      row?.node.classList.add('ll-flash');
      setTimeout(() => row?.node.classList.remove('ll-flash'), FLASH);
    }
  }

  /**
   * @param {Row} row
   * @param {PropertyIndexedKeyframes | null} keyframes
   * @param {KeyframeAnimationOptions} [timing]
   */
  #run(row, keyframes, timing) {
    row.animation?.cancel();
    row.animation = keyframes && row.node.animate(keyframes, timing);
    if (row.animation) row.animation.onfinish = () => (row.animation = null);
  }
}
