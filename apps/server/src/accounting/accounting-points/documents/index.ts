export { deleteFile, keepFile, openFile, pointFilesOf } from "./files.ts";
