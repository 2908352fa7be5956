export { backup, type BackupResult } from "./backup.ts";
export { lastBackup, type LastBackup } from "./lastBackup.ts";
export { restore, type RestoreResult } from "./restore.ts";
