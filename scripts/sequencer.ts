import { BaseSequencer, type TestSpecification } from "vitest/node";

interface Long {
  readonly seconds: number;
  /** It waits for lines, processes or the clock, and leaves the processors to others. */
  readonly isWaiting?: boolean;
}

/** Files of 10 s and more, as measured with all tests running. */
const long: Readonly<Record<string, Long>> = {
  "e2e/access.test.ts": { seconds: 65 },
  "e2e/platformAdmin.test.ts": { seconds: 65 },
  "e2e/administration.test.ts": { seconds: 65 },
  // Not among the first: it waits for polls, of which a new platform has made none.
  "e2e/live.test.ts": { seconds: 65 },
  "e2e/shellComplete.test.ts": { seconds: 45 },
  "e2e/devices.test.ts": { seconds: 35 },
  "e2e/companies.test.ts": { seconds: 35 },
  "e2e/users.test.ts": { seconds: 31 },
  "e2e/profile.test.ts": { seconds: 31 },
  "server/src/headend/control/control.test.ts": { seconds: 56, isWaiting: true },
  "server/src/testing/walk/foreignIds.test.ts": { seconds: 35 },
  "server/src/testing/walk/hostile.test.ts": { seconds: 25 },
  "server/src/testing/walk/walk.test.ts": { seconds: 25 },
  "server/src/testing/walk/secondWall.alone.test.ts": { seconds: 20 },
  "server/src/metering/imports/imports.test.ts": { seconds: 18 },
  "server/src/testing/walk/smuggled.test.ts": { seconds: 15 },
  "server/src/headend/polling/readHoles.test.ts": { seconds: 35, isWaiting: true },
  "server/src/headend/polling/polling.test.ts": { seconds: 26, isWaiting: true },
  "server/src/headend/channels/modems/attachments.test.ts": { seconds: 22, isWaiting: true },
  "server/src/platform/demo/listening.test.ts": { seconds: 20, isWaiting: true },
  "server/src/headend/uplinks/ways/databaseAway.test.ts": { seconds: 20, isWaiting: true },
  "server/src/headend/modems/tryModels.test.ts": { seconds: 15, isWaiting: true },
  "server/src/headend/modems/modems.test.ts": { seconds: 13, isWaiting: true },
  "server/src/headend/uplinks/ways/lines/lineListeners.test.ts": { seconds: 12, isWaiting: true },
  "server/src/headend/polling/serialSpeed.test.ts": { seconds: 11, isWaiting: true },
  "server/src/headend/bridge/bridge.test.ts": { seconds: 10, isWaiting: true },
  "protocols/src/fuzz.test.ts": { seconds: 11 },
};
const paths = Object.keys(long);
/** Of a file that is not long. */
const usualSeconds = 2;
/** Seconds of other files beside each second of waiting: fewer than the other workers take, so that none waits alone at the end. */
const besides = 2.4;

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = paths.findIndex((path) => moduleId.endsWith(path));
  return at < 0 ? paths.length : at;
};

const longOf = (file: TestSpecification): Long | undefined => long[paths[placeOf(file)] ?? ""];

/** One waiting file after another, each with as much of the others as fits beside it. */
function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const waiting = files.filter((file) => longOf(file)?.isWaiting);
  const found: TestSpecification[] = [];
  let [waited, worked] = [0, 0];
  for (const file of files.filter((each) => !longOf(each)?.isWaiting)) {
    const next = worked >= waited * besides ? waiting.shift() : undefined;
    if (next) found.push(next);
    waited += next ? (longOf(next)?.seconds ?? 0) : 0;
    found.push(file);
    worked += longOf(file)?.seconds ?? usualSeconds;
  }
  return [...found, ...waiting];
}

/** Long files come first, so that no worker is alone with one at the end; of those that wait one at a time. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
    const isOfServer = ({ project }: TestSpecification) => project.name.startsWith("server");
    return [...sorted.filter((file) => !isOfServer(file)), ...spread(sorted.filter(isOfServer))];
  }
}
