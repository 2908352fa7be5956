import type { PlannedBranch, PlannedDevice } from "./plan.ts";

/** A feeder: the first meter behind a modem measures what the others behind it draw. */
export interface Feeder {
  readonly gateway: string;
  /** Place of the first meter. */
  readonly place: string;
  /** Losses between it and the others. */
  readonly lossShare: number;
  /** Ratio of the transformers of the feeder and of each branch. */
  readonly ratio: number;
  readonly branchRatio: number;
  /**
   * The branch at this place has larger transformers than its card says: a unit of its register is this many times
   * what the card makes of it.
   */
  readonly mistaken?: { readonly at: number; readonly times: number };
}

/** Electricity feeders of the demonstration; the second has a branch with a wrong ratio. */
export const demoFeeders: readonly Feeder[] = [
  { gateway: "modem1", place: "TP-11, input 1", lossShare: 0.022, ratio: 1, branchRatio: 1 },
  {
    gateway: "modem2",
    place: "TP-12, input 1",
    // Two percent of the input, as the balance takes them.
    lossShare: 0.0204,
    ratio: 120,
    branchRatio: 20,
    // 150/5 in the cabinet, 100/5 in the card.
    mistaken: { at: 3, times: 1.5 },
  },
];

/** The first meter of a feeder and those behind it, in the order of their addresses; sensors are none of them. */
export function branchesOf<Device extends Pick<PlannedDevice, "gateway" | "insideAddr">>(
  feeder: Pick<Feeder, "gateway">,
  devices: readonly Device[],
): { readonly first: Device | undefined; readonly others: readonly Device[] } {
  const [first, ...others] = devices.filter(
    ({ gateway, insideAddr }) => gateway === feeder.gateway && Number(insideAddr) <= 100,
  );
  return { first, others };
}

/** The devices, the first of each feeder counting what the others draw. */
export function withFeeders(devices: readonly PlannedDevice[]): PlannedDevice[] {
  const heads = new Map(
    demoFeeders.flatMap((feeder) => {
      const { first, others } = branchesOf(feeder, devices);
      return first ? [[first, headOf(feeder, first, others)] as const] : [];
    }),
  );
  return devices.map((device) => heads.get(device) ?? device);
}

function headOf(feeder: Feeder, first: PlannedDevice, others: readonly PlannedDevice[]): PlannedDevice {
  const { place, lossShare, ratio, branchRatio, mistaken } = feeder;
  const branches = others.map(({ seed, load, meanPerHour, hasLeaks }, at): PlannedBranch => {
    const times = at === mistaken?.at ? mistaken.times : 1;
    return { seed, load, meanPerHour, hasLeaks, weight: (times * branchRatio * (1 + lossShare)) / ratio };
  });
  const meanPerHour = branches.reduce((sum, branch) => sum + branch.weight * branch.meanPerHour, 0);
  return { ...first, place, meanPerHour, branches };
}
