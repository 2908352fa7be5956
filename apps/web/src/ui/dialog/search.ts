/** A list this short needs no search. */
export const searchAbove = 5;

/** Options whose title contains the words, ignoring case. */
export function matching<Option extends { readonly title: string }>(
  options: readonly Option[],
  search: string,
): readonly Option[] {
  const wanted = search.trim().toLocaleLowerCase();
  return options.filter((each) => each.title.toLocaleLowerCase().includes(wanted));
}
