export interface TextRules {
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly validate?: (value: string) => string | null;
}

/** A fault as a key of the texts with its number, or a text of the caller. */
export type TextFault =
  | { readonly key: "required" }
  | { readonly key: "minlength" | "maxlength"; readonly count: number }
  | { readonly text: string };

export const textLimits = { min: 3, max: 255 } as const;

/** Checks the trimmed value of a text dialog. Empty input is a fault only if required. */
export function faultOf(value: string, rules: TextRules): TextFault | null {
  const { isRequired = true, minLength = textLimits.min, maxLength = textLimits.max, validate } = rules;
  const trimmed = value.trim();
  if (trimmed === "") return isRequired ? { key: "required" } : null;
  if (trimmed.length < minLength) return { key: "minlength", count: minLength };
  if (trimmed.length > maxLength) return { key: "maxlength", count: maxLength };
  const text = validate?.(trimmed) ?? null;
  return text === null ? null : { text };
}
