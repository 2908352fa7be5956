import type { GridState } from "#ui/grid";

/** Where a device, a gateway or a base station is: in use, in the archive or in the trash. */
export const places = ["present", "archive", "trash"] as const;
export type Place = (typeof places)[number];

/** Filter of the address that shows the archive or the trash. */
export const placeFilter = "show";

export function placeOf({ filters }: Pick<GridState, "filters">): Place {
  const [asked] = filters[placeFilter] ?? [];
  return places.find((each) => each === asked) ?? "present";
}

export interface Placed {
  readonly is_archived?: boolean | undefined;
  readonly is_deleted?: boolean | undefined;
}

export function placeOfRow({ is_archived, is_deleted }: Placed): Place {
  if (is_deleted === true) return "trash";
  return is_archived === true ? "archive" : "present";
}

/** What a list of a place asks for. */
export function placeInput(place: Place): { readonly is_archived?: true; readonly is_deleted?: true } {
  if (place === "archive") return { is_archived: true };
  return place === "trash" ? { is_deleted: true } : {};
}
