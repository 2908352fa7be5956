export { putNumbered } from "./numbered.ts";
export { devicesNumbered, type NumberedDevice } from "./numberedStore.ts";
export { sealedNames, sealedNamesOf, type SecretName } from "./secretStore.ts";
export {
  openSecrets,
  putDeviceSecret,
  reserveNumbers,
  sealPlainPasswords,
  type DeviceSecrets,
} from "./secrets.ts";
export { notedSettings, putSecrets, putSettings, wrongSettings } from "./settings.ts";
