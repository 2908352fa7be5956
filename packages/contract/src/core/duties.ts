/**
 * Duties of a user before anything else: replacing a password that was sent by letter, or setting up a second
 * factor required by the company.
 */
export const duties = ["password", "two_factor"] as const;
export type Duty = (typeof duties)[number];
