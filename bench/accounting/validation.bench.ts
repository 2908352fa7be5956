import { demoPlan, origin, type PlannedDevice } from "@metrum/simulator";
import {
  judge,
  judgedRegister,
  rulesFor,
  type Given,
} from "../../apps/server/src/accounting/validation/index.ts";
import { parkValues } from "../../apps/server/src/testing/parkValues.ts";
import { atMost, reported, type Bench } from "../report.ts";

const day = 86_400;
const days = 365;
const from = origin + 400 * day;
const span = { from, to: from + days * day, stepSec: 3600 };

interface Meter {
  readonly device: PlannedDevice;
  readonly given: Given;
  readonly byDay: ReadonlyMap<number, number>;
}

/** Meters of the same model at the same house, as the rule of siblings sees them. */
const placeOf = ({ modelId, place }: PlannedDevice): string =>
  `${String(modelId)} ${place.split(",")[0] ?? ""}`;

function meters(): Meter[] {
  return demoPlan(1).devices.flatMap((device) => {
    const given = parkValues(device, span);
    if (!given) return [];
    const byDay = new Map(judgedRegister(given).days.map((each) => [each.day, each.amount]));
    return [{ device, given, byDay }];
  });
}

export const bench: Bench = {
  title: "A clean year of the park, hour by hour, judged by the default rules (exact)",
  run() {
    const all = meters();
    const wrong = new Map<string, number>();
    let gaps = 0;
    const began = performance.now();
    for (const { device, given } of all) {
      const siblings = all
        .filter((other) => other.device !== device && placeOf(other.device) === placeOf(device))
        .slice(0, 10)
        .map(({ byDay }) => byDay);
      const rules = rulesFor([], { resource: given.resource, modelId: device.modelId, pointIds: [] });
      for (const { kind } of judge({ ...given, siblings }, rules)) {
        // A meter of the park is out of reach at times: such a gap is true.
        if (kind === "gap") gaps += 1;
        else wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
      }
    }
    const seconds = (performance.now() - began) / 1000;
    const deviceDays = all.length * days;
    const total = [...wrong.values()].reduce((sum, each) => sum + each, 0);
    return Promise.resolve([
      reported("device days judged", deviceDays, ""),
      atMost("false alarms per 1,000 device days", (total / deviceDays) * 1000, "", 1),
      ...[...wrong].map(([kind, count]) => reported(`of these ${kind}`, count, "")),
      reported("true gaps found", gaps, ""),
      reported("device days a second", deviceDays / seconds, ""),
    ]);
  },
};
