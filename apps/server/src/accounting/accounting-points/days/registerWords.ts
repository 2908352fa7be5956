import { fields, isFieldName, pointTypeOf, units, type Language, type Text } from "@metrum/vocabulary";
import { mainRegister } from "./days.ts";

const main: Text = { ru: "основной", en: "main", mn: "үндсэн" };

/**
 * What a register of a point is called, and the unit of its amounts: reactive energy of an electricity meter is not in
 * kWh. A counter that is no longer known keeps its name.
 */
export function registerWords(
  { resource_type_id, field }: { readonly resource_type_id: number; readonly field: string },
  language: Language,
): { readonly title: string; readonly unit: string } {
  const known = field !== mainRegister && isFieldName(field) ? fields[field] : undefined;
  const unit = known?.unit ?? pointTypeOf(resource_type_id)?.unit ?? "kWh";
  const title = field === mainRegister ? main[language] : (known?.title[language] ?? field);
  return { title, unit: units[unit][language] };
}
