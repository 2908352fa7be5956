export { AskedSettings } from "./AskedSettings.tsx";
export { SettingsLayout, type SettingsGroup, type SettingsItem } from "./SettingsLayout.tsx";
export { SettingsForm, SettingsRow, SettingsSection } from "./SettingsSection.tsx";
export { ShownOnce } from "./ShownOnce.tsx";
