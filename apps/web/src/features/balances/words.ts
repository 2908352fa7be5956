/** 14.11.2026 for 2026-11-14. */
export const dateOf = (day: string): string => day.split("-").toReversed().join(".");

/** 14.11 for 2026-11-14. */
export const shortDateOf = (day: string): string => dateOf(day).slice(0, 5);

/** 14 for 2026-11-14. */
export const dayOf = (day: string): string => String(Number(day.slice(8)));

/** 11.2026 for 2026-11-14. */
export const monthOf = (day: string): string => dateOf(day).slice(3);
