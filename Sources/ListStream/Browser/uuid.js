const DICE = '10000000-1000-4000-8000-100000000000'; // 0 and 1 become random digits, 8 becomes 8 to b, 4 stays

/** A random UUID, also where the page is not a secure context and `crypto.randomUUID` is missing. */
export const uuid = () => DICE.replace(/[018]/g, (c) => (+c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+c / 4)))).toString(16));
