import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { addBranches, type NewBranch } from "#accounting/objects";
import type { SeededDevice } from "./catalogue.ts";

const districts = ["East district", "West district", "New Town", "Industrial zone"] as const;
/** Streets of the places in the park; other places are houses of a district by their name. */
const streets = ["Sukhbaatar", "Orkhon", "Selenge", "Khuvsgul", "Naran", "Zaluu", "Ikh Mongol", "Nogoon"];
/** Of the city and its districts: latitude and longitude. */
const centre = { latitude: 49.4867, longitude: 105.9228 };

/**
 * The city of the demonstration: districts, streets and houses, with every device at the house that its place
 * names; devices without a place stand in the industrial zone.
 */
export async function seedCity(
  db: Db,
  companyId: CompanyId,
  devices: readonly SeededDevice[],
  others: readonly DeviceId[],
): Promise<void> {
  const houses = new Map<string, DeviceId[]>();
  for (const { id, planned } of devices) {
    const house = planned.place.split(",")[0]?.trim() || "Workshop";
    houses.set(house, [...(houses.get(house) ?? []), id]);
  }
  houses.set("Workshop", [...(houses.get("Workshop") ?? []), ...others]);
  const branches = [...houses]
    .toSorted(([one], [other]) => one.localeCompare(other, "en", { numeric: true }))
    .map(([house, items], at) => branchOf(house, items, at));
  await addBranches(db, companyId, branches);
}

function branchOf(house: string, devices: readonly DeviceId[], at: number): NewBranch {
  const street = streets.find((each) => house.startsWith(`${each} `) && /\d$/.test(house));
  // All houses of a street are in its district.
  const district = districts[numberOf(street ?? house) % districts.length] ?? districts[0];
  const address = {
    unrestricted_value: `Darkhan-Uul, Darkhan, ${house}`,
    country: "Mongolia",
    region: "Darkhan-Uul",
    city: "Darkhan",
    city_district: district,
    ...(street === undefined ? {} : { street }),
    house,
    coordinates: [
      round(centre.latitude + ((at * 37) % 100) / 4000),
      round(centre.longitude + ((at * 53) % 100) / 2500),
    ] as [number, number],
  };
  return {
    steps: [
      { name: "Darkhan", type: "city" },
      { name: district, type: "city_district" },
      ...(street === undefined ? [] : [{ name: street, type: "street" }]),
      { name: house, type: "house" },
    ],
    address,
    devices,
  };
}

const round = (degrees: number): number => Number(degrees.toFixed(6));
const numberOf = (text: string): number =>
  Array.from(text, (each) => each.codePointAt(0) ?? 0).reduce((sum, each) => sum + each, 0);
