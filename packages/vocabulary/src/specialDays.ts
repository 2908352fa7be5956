/** Days of a month, 1 to 12, in a leap year: special days repeat every year. */
export const daysInMonth = (month: number): number =>
  month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** A day of the year as on the wire, MM-DD. */
export const dayOfYear = (month: number, day: number): string =>
  [month, day].map((each) => String(each).padStart(2, "0")).join("-");

/** Whether a text is a day of some year, MM-DD. */
export function isDayOfYear(text: string): boolean {
  const [, month, day] = (/^(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (month === undefined || day === undefined || month < 1 || month > 12) return false;
  return day >= 1 && day <= daysInMonth(month);
}
