/** Sections of the company settings, by their path in the address. */
export const sections = [
  "company",
  "time",
  "peak-hours",
  "security",
  "design",
  "services",
  "service-log",
  "mqtt",
  "lorawan",
  "retention",
  "log",
] as const;
export type Section = (typeof sections)[number];

export function sectionOf(text: string | undefined): Section | null {
  return sections.find((each) => each === text) ?? null;
}
