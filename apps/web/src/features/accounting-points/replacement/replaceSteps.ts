export const steps = ["old", "new", "readings", "check"] as const;
export type StepName = (typeof steps)[number];
