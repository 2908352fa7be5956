/** A list this short is read faster than searched. */
export const searchAbove = 5;

/** Options whose title contains the words, whatever their case. */
export function matching<Option extends { readonly title: string }>(
  options: readonly Option[],
  search: string,
): readonly Option[] {
  const wanted = search.trim().toLocaleLowerCase();
  return options.filter((each) => each.title.toLocaleLowerCase().includes(wanted));
}
