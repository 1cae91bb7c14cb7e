// Modules that come later: each is fetched when it is wanted, and asked for again until it is there.

const LATE = 5_000; // ms after which one that has not come is missing
const SHORTEST_WAIT = 2_000; // ms until it is asked for again by itself; then twice as long each time
const LONGEST_WAIT = 60_000;

export class Later {
  #load;
  #onMissing;
  #all = new Map();
  #wait = SHORTEST_WAIT;
  #timer = 0;
  /** What is added to names: Firefox keeps in mind that a module could not be fetched, and under that name never asks again. */
  #again = '';

  /**
   * @param load `(name, again) => Promise`, imports a module by its name with `again` behind it
   * @param onMissing `(names, isFailure)`: what has failed or is late; called when that changes, and after each failure
   */
  constructor(load, onMissing) {
    this.#load = load;
    this.#onMissing = onMissing;
  }

  /** What was made of a module; undefined as long as it is not here. */
  get(name) {
    return this.#all.get(name)?.made;
  }

  /**
   * @param make makes what is wanted of the module, once
   * @param isPatient whether to wait for as long as it takes
   * @returns a promise of that; it rejects when the module cannot be fetched now
   */
  want(name, make, isPatient) {
    if (!this.#all.has(name)) this.#all.set(name, { name, make, asked: 0, waiting: [] });
    const one = this.#all.get(name);
    if (one.made) return Promise.resolve(one.made);
    return new Promise((done, fail) => {
      one.waiting.push({ done, fail: isPatient ? null : fail });
      one.late ??= setTimeout(() => this.#miss(one), LATE);
      if (one.asked === 0) this.#ask(one);
    });
  }

  /** Asks again for what is missing, as when the server is reached again. */
  retry() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const missing = [...this.#all.values()].filter(({ isMissing }) => isMissing);
    // Also what is late, by another name: it may be on a connection that is gone.
    if (missing.length > 0) this.#again += '?';
    for (const one of missing) this.#ask(one);
  }

  async #ask(one) {
    one.asked++;
    const module = await this.#load(one.name, this.#again).catch(() => null);
    one.asked--;
    if (one.made) return;
    if (module) this.#take(one, module);
    else if (one.asked === 0) this.#fail(one);
  }

  #take(one, module) {
    clearTimeout(one.late);
    one.made = one.make(module);
    for (const { done } of one.waiting) done(one.made);
    if (!one.isMissing) return;
    one.isMissing = false;
    this.#wait = SHORTEST_WAIT;
    this.#tell(false);
  }

  #fail(one) {
    this.#again += '?';
    const impatient = one.waiting.filter(({ fail }) => fail);
    one.waiting = one.waiting.filter(({ fail }) => !fail);
    one.isMissing = true;
    this.#tell(true);
    for (const { fail } of impatient) fail(new Error(`${one.name} could not be fetched`));
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.retry(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #miss(one) {
    if (one.isMissing) return;
    one.isMissing = true;
    this.#tell(false);
  }

  #tell(isFailure) {
    this.#onMissing([...this.#all.values()].filter(({ isMissing }) => isMissing).map(({ name }) => name), isFailure);
  }
}
