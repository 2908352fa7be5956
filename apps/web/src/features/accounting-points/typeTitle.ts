import type { TFunction } from "i18next";

/** Types of accounting points. */
export const typeIds = [3, 2, 1, 9, 8, 4, 7, 5, 6] as const;

/** Name of the type of a point: what is measured. */
export const typeTitle = (
  { resource_type_id: id }: { readonly resource_type_id: number },
  t: TFunction,
): string => t(`accountingPoints:type.${String(id)}`, { defaultValue: String(id) });
