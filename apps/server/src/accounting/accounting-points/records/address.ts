/** Parts of the address of an accounting point. */
export interface PointAddress {
  readonly city: string;
  readonly street: string;
  readonly house: string;
  readonly inner_object: string;
}

/** A longer street is cut in the short form. */
const shortStreet = 22;
const none = "–";

/** City, street, house and inner object joined by commas; a dash without a street. */
export const addressOf = (address: PointAddress): string => joined(address, address.street);

/** The same with the street cut at 22 characters and an ellipsis. */
export function shortAddressOf(address: PointAddress): string {
  const street = Array.from(address.street);
  return joined(
    address,
    street.length > shortStreet ? `${street.slice(0, shortStreet).join("")}…` : address.street,
  );
}

function joined({ city, house, inner_object }: PointAddress, street: string): string {
  if (street === "") return none;
  return [city, street, house, inner_object].filter((part) => part !== "").join(", ");
}
