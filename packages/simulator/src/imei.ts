/** The IMEI with this number in the test range, with its check digit. */
export function imeiOf(number: number): string {
  const body = `00440195${String(number + 1).padStart(6, "0")}`;
  const sum = Array.from(body).reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
