import type { LoadKind } from "../shapes.ts";

interface Consumer {
  readonly name: string;
  readonly load: LoadKind;
}

/** Organisations and shared rooms; no people. */
export const consumers: readonly Consumer[] = [
  { name: "School 4", load: "school" },
  { name: "Kindergarten 9", load: "school" },
  { name: "Khutul Cement", load: "plant" },
  { name: "Orkhon Dairy", load: "plant" },
  { name: "City Hospital 2", load: "office" },
  { name: "Public Library", load: "office" },
  { name: "Darkhan Trade House", load: "shop" },
  { name: "Sukhbaatar Market", load: "shop" },
  { name: "Pump station 3", load: "pump" },
  { name: "Housing cooperative 14", load: "home" },
  { name: "Housing cooperative 22", load: "home" },
  { name: "Sports Palace", load: "office" },
  { name: "Bus Depot 1", load: "plant" },
  { name: "Bakery 5", load: "plant" },
  { name: "Hotel Selenge", load: "shop" },
  { name: "Boiler house 7", load: "pump" },
];

export const streets = [
  "Sukhbaatar",
  "Orkhon",
  "Selenge",
  "Khuvsgul",
  "Naran",
  "Zaluu",
  "Ikh Mongol",
  "Nogoon",
];
export const parts = [
  "main input",
  "feeder 1",
  "feeder 2",
  "line 1",
  "line 2",
  "entrance 1",
  "entrance 2",
  "lift",
  "ventilation",
  "lighting",
];
