/** A text in the three languages of the product, equal in rank. */
export interface Text {
  readonly ru: string;
  readonly en: string;
  readonly mn: string;
}

export const languages = ["ru", "en", "mn"] as const;
export type Language = (typeof languages)[number];
