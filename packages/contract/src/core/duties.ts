/**
 * What a user may owe before anything else: a password of his own in the place of one that was sent to him, a second
 * factor where the company requires one.
 */
export const duties = ["password", "two_factor"] as const;
export type Duty = (typeof duties)[number];
