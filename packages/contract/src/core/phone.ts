/** Characters of a phone number (REG-010). */
export const phoneLength = { least: 10, most: 15 } as const;
export const phonePattern = /^\+?[\d ()-]+$/;

/** Whether it is a phone number, or none. */
export const isPhone = (text: string): boolean =>
  text === "" ||
  (text.length >= phoneLength.least && text.length <= phoneLength.most && phonePattern.test(text));
