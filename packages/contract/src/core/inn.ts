/**
 * Taxpayer numbers, the only place with their rule. Registration takes ten characters, as the
 * specification states; consumers and suppliers have ten digits (organisations) or twelve (persons), or none.
 */
export const innLength = 10;
const innPattern = /^(?:\d{10}|\d{12})$/;

/** Whether it is the number of a consumer or supplier, or none. */
export const isInn = (text: string): boolean => text === "" || innPattern.test(text);
