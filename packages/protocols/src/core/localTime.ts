/**
 * Seconds of a moment of a device's own clock, "YYYY-MM-DD HH:mm" or with ":ss", as if its clock were UTC.
 * The text is that of a validated argument. Errors: none.
 */
export function localSeconds(text: string): number {
  const [date = "", time = ""] = text.split(" ");
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  return Date.parse(`${date}T00:00:00Z`) / 1000 + hour * 3600 + minute * 60 + second;
}
