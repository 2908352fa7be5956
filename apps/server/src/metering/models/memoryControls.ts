import type { DeviceModel } from "@metrum/contract/metering";
import type { Driver, KeptArchive } from "@metrum/protocols/core";
import { isArchiveType, journals } from "@metrum/vocabulary";

const profileType = 5;
const journalType = 7;
const daySec = 86_400;

/**
 * Entries of `options.control` for what can be requested from the memory of a meter, with its depth in days:
 * archives by message type, the power profile, journals by their number.
 */
export function memoryControls(driver: Driver): DeviceModel["options"]["control"] {
  if (driver.kind !== "line") return {};
  const archives = driver.archives.filter(({ msgType }) => isArchiveType(msgType));
  const profile = driver.archives.find(({ msgType }) => msgType === profileType);
  const events = driver.archives.find(({ msgType }) => msgType === journalType);
  const types = archives.map((archive) => ({ id: archive.msgType, depth_days: daysOf(archive) }));
  return {
    ...(types.length > 0 ? { archive: { active: true, settings: { types } } } : {}),
    ...(profile ? { archive_profile: { active: true, settings: { depth_days: daysOf(profile) } } } : {}),
    ...(events
      ? {
          event_log: { active: true, settings: { journals: journalsOf(driver), depth_days: daysOf(events) } },
        }
      : {}),
  };
}

const daysOf = ({ depthSec }: KeptArchive): number => Math.floor(depthSec / daySec);

const journalsOf = ({ journals: names = [] }: Extract<Driver, { kind: "line" }>) =>
  names.map((name, event_index) => ({
    event_index,
    title: journals[name].ru,
    title_en: journals[name].en,
  }));
