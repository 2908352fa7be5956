import { refuseBilledRatio } from "../records/index.ts";

/** What rests on the ratio of a device, for the domain of devices: the amounts of points that it measures. */
export const createRatioUse = () => ({ refuseBilled: refuseBilledRatio });
