import { lazily } from "#lib/load";

export { canRequest, type RequestedDevice, type RequestKind, type SimpleRequest } from "./offered.ts";

/** Everything that is needed for a request is loaded with the first one. */
export const loadRequests = () => import("./requests.ts");
export const ArchiveDialog = lazily(async () => ({
  default: (await import("./ArchiveDialog.tsx")).ArchiveDialog,
}));
export const BulkArchiveDialog = lazily(async () => ({
  default: (await import("./BulkArchiveDialog.tsx")).BulkArchiveDialog,
}));
export const JournalDialog = lazily(async () => ({
  default: (await import("./JournalDialog.tsx")).JournalDialog,
}));
export const ProfileDialog = lazily(async () => ({
  default: (await import("./ProfileDialog.tsx")).ProfileDialog,
}));
export const OpenRequests = lazily(async () => ({
  default: (await import("./OpenRequests.tsx")).OpenRequests,
}));
