/** Everything, as a snapshot frame would say it; with `undefined` for what is not known. */
export const sectionsOf = ({ sections }) =>
  sections.map(({ id, blocks }) => ({ id, items: blocks.flatMap(({ ids }) => Array.from(ids)) }));
