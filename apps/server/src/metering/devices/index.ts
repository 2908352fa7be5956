import { meterModels } from "@metrum/catalogue";
import type { Domain } from "#core";
import { serveDevices } from "./calls.ts";
import { sealPlainPasswords } from "./secrets.ts";
import { syncModelTitles } from "./store.ts";
import { serveCompanyModels } from "./models.ts";
import { serveRecord } from "./edit.ts";
import { startRemoval } from "./removal.ts";
import { serveTies } from "./ties.ts";
import { serveTrash } from "./trash.ts";

export { addDevice, addDevices, meterModel, type KnownDevice } from "./add.ts";
export { changeDevices, type Changed, type Changing } from "./changes.ts";
export { devicesToChange, type ChangedDevice } from "./changeStore.ts";
export { chosenDevices, selectedDevices, type ChosenDevices } from "./devices.ts";
export { changeDevice, createDevices, returnDevices } from "./edit.ts";
export { discardDevices } from "./trash.ts";
export type { DeviceRow } from "./listStore.ts";
export { identitiesOf, type DeviceIdentity } from "./identityStore.ts";
export { openSecrets, putDeviceSecret, reserveNumbers, type DeviceSecrets } from "./secrets.ts";
export { sealedNames, type SecretName } from "./secretStore.ts";
export { putNumbered } from "./numbered.ts";
export { devicesNumbered, type NumberedDevice } from "./numberedStore.ts";
export {
  leaveBaseStation,
  leaveGateway,
  movableDevices,
  moveDevices,
  putPeriods,
  switchPolling,
  type MovableDevice,
} from "./store.ts";
export { removeWithTraces, tablesOfDevices } from "./traceStore.ts";
export { notedSettings, putSettings, wrongSettings } from "./settings.ts";
export { refuseFirstTies } from "./ties.ts";
export { createDeviceTotals } from "./totals.ts";

export const devices: Domain = {
  name: "devices",
  calls: (api) => {
    serveDevices(api);
    serveCompanyModels(api);
    serveTies(api);
    serveTrash(api);
    serveRecord(api);
  },
  api: async ({ database, secretBox }) => {
    await sealPlainPasswords({ database, secretBox });
    await syncModelTitles(database.system, new Map(meterModels.map((model) => [model.id, model.title])));
    return () => Promise.resolve();
  },
  worker: startRemoval,
};
