/** How the search splits texts into words, when the index is built and when it is asked. */
export const INDEX_OPTIONS = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'address'],
  tokenize: (text) =>
    text
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
  // Vietnamese without its marks, as many people type it.
  processTerm: (word) =>
    word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd') || null,
}
