import { lazily } from "#lib/load";

export { DeviceDataPage } from "./DeviceDataPage.tsx";

/** Rarely opened from other screens: the bytes behind a number. */
export const ExchangeDialog = lazily(async () => ({
  default: (await import("./tabs/journal/ExchangeDialog.tsx")).ExchangeDialog,
}));
