import type { GridState } from "#ui/grid";

/** The part of a list call that most lists understand. */
export function pageInput({ q, page, size, sort }: GridState) {
  return {
    page,
    per_page: size,
    ...(sort ? { sort: sort.desc ? ("desc" as const) : ("asc" as const) } : {}),
    ...(q.trim() === "" ? {} : { search_string: q.trim() }),
  };
}
