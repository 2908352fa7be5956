/** The address of an accounting point, as it is stored with it. */
export interface PointAddress {
  readonly city: string;
  readonly street: string;
  readonly house: string;
  readonly innerObject: string;
}

const dash = "—";
/** Characters of a street in a narrow place. */
const longestStreet = 22;

/** City, street, house and inner object joined by commas, or a dash without a street. */
export function addressText({ city, street, house, innerObject }: PointAddress): string {
  if (street === "") return dash;
  return [city, street, house, innerObject].filter((part) => part !== "").join(", ");
}

/** The same with a street of at most 22 characters. */
export function shortAddressText(address: PointAddress): string {
  const letters = Array.from(address.street);
  const street = letters.length > longestStreet ? `${letters.slice(0, longestStreet).join("")}…` : undefined;
  return addressText(street === undefined ? address : { ...address, street });
}
