/** Consumption pattern: relative weights; the mean is that of the device. */
export interface Shape {
  /** Summer to winter: share by which the coldest day exceeds the mean (negative: the warmest). */
  readonly season: number;
  /** Monday to Sunday. */
  readonly week: readonly number[];
  /** Hours 0 to 23 of a working day, and of Saturday and Sunday. */
  readonly workday: readonly number[];
  readonly weekend: readonly number[];
  /** Share by which a day, an hour and five minutes deviate from their shape. */
  readonly noise: { readonly day: number; readonly hour: number; readonly slot: number };
}

const even = [1, 1, 1, 1, 1, 1, 1];
const offices = [1, 1.02, 1.03, 1.01, 0.95, 0.4, 0.3];
const flat = Array.from({ length: 24 }, () => 1);
const hours = (text: string): number[] => text.split(" ").map(Number);

const home = hours("4 3 3 2 2 3 6 9 8 6 5 5 6 6 5 6 7 10 13 14 14 12 9 6");
const homeWeekend = hours("5 4 3 3 2 2 4 6 9 11 11 10 10 9 9 9 9 10 12 13 13 11 9 7");
const office = hours("2 2 2 2 2 2 3 6 12 15 16 16 14 15 16 15 14 10 6 4 3 3 2 2");
const officeWeekend = hours("3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 4 3 3 3 3 3 3 3");
const school = hours("1 1 1 1 1 2 4 9 14 15 15 14 15 13 9 6 4 3 2 2 1 1 1 1");
const shop = hours("4 4 4 4 4 4 5 7 10 12 13 13 13 13 13 13 14 15 15 14 12 9 6 5");
const plant = hours("9 9 9 9 9 9 10 12 14 14 14 12 12 14 14 14 13 11 11 11 10 10 9 9");
const warmth = hours("12 12 12 12 12 13 14 13 12 11 10 9 9 9 9 9 10 11 12 12 12 12 12 12");

/** Kinds of consumers. */
export const shapes = {
  home: {
    season: 0.15,
    week: [1, 0.98, 0.98, 1, 1.03, 1.12, 1.1],
    workday: home,
    weekend: homeWeekend,
    noise: { day: 0.2, hour: 0.35, slot: 0.6 },
  },
  office: {
    season: 0.12,
    week: offices,
    workday: office,
    weekend: officeWeekend,
    noise: { day: 0.08, hour: 0.12, slot: 0.25 },
  },
  school: {
    season: 0.3,
    week: [1, 1, 1, 1, 0.95, 0.25, 0.15],
    workday: school,
    weekend: flat,
    noise: { day: 0.1, hour: 0.2, slot: 0.3 },
  },
  shop: {
    season: -0.1,
    week: [0.95, 0.95, 0.96, 1, 1.08, 1.1, 1.02],
    workday: shop,
    weekend: shop,
    noise: { day: 0.06, hour: 0.1, slot: 0.2 },
  },
  plant: {
    season: 0.05,
    week: [1, 1.02, 1.02, 1.02, 1, 0.7, 0.55],
    workday: plant,
    weekend: flat,
    noise: { day: 0.05, hour: 0.15, slot: 0.35 },
  },
  pump: {
    season: -0.2,
    week: even,
    workday: home.map((weight) => weight + 6),
    weekend: homeWeekend.map((weight) => weight + 6),
    noise: { day: 0.05, hour: 0.25, slot: 0.8 },
  },
  heating: {
    season: 0.92,
    week: even,
    workday: warmth,
    weekend: warmth,
    noise: { day: 0.12, hour: 0.08, slot: 0.1 },
  },
} as const satisfies Record<string, Shape>;

export type LoadKind = keyof typeof shapes;
