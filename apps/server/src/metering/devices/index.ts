import { meterModels } from "@metrum/catalogue";
import type { Domain } from "#core";
import { serveDevices } from "./calls.ts";
import { sealPlainPasswords } from "./settings/index.ts";
import { syncModelTitles } from "./store.ts";
import { serveCompanyModels } from "./models.ts";
import { serveRecord } from "./edit.ts";
import { serveTrash, startRemoval } from "./removal/index.ts";
import { serveTies } from "./ties.ts";

export { addDevice, addDevices, meterModel, type KnownDevice } from "./add.ts";
export { changeDevices, type Changed, type Changing } from "./changes.ts";
export { devicesToChange, type ChangedDevice } from "./changeStore.ts";
export { chosenDevices, selectedDevices, type ChosenDevices } from "./devices.ts";
export { changeDevice, createDevices, returnDevices } from "./edit.ts";
export { discardDevices, removeWithTraces, tablesOfDevices } from "./removal/index.ts";
export type { DeviceRow } from "./listStore.ts";
export { identitiesOf, type DeviceIdentity } from "./identityStore.ts";
export {
  devicesNumbered,
  notedSettings,
  openSecrets,
  putDeviceSecret,
  putNumbered,
  putSettings,
  reserveNumbers,
  sealedNames,
  wrongSettings,
  type DeviceSecrets,
  type NumberedDevice,
  type SecretName,
} from "./settings/index.ts";
export {
  leaveBaseStation,
  leaveGateway,
  movableDevices,
  moveDevices,
  putPeriods,
  switchPolling,
  type MovableDevice,
} from "./store.ts";
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
