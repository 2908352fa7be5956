import type { GridState } from "#ui/grid";

/** The part of a list call's input common to most lists. */
export function pageInput({ q, page, size, sort }: GridState) {
  return {
    page,
    per_page: size,
    ...(sort ? { sort: sort.desc ? ("desc" as const) : ("asc" as const) } : {}),
    ...(q.trim() === "" ? {} : { search_string: q.trim() }),
  };
}
