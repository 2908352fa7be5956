export interface Command {
  readonly takes: string;
  readonly does: string;
  /** Loaded only when called, so that `decode` starts without the database. */
  readonly load: () => Promise<{ readonly main: (args: string[]) => Promise<number> }>;
}

/** Every command of `npm run metrum`. */
export const commands: Readonly<Record<string, Command>> = {
  decode: {
    takes: "PROTOCOL HEX [--explain]",
    does: "decodes one frame, or one a line with - as HEX",
    load: () => import("./decode/decode.ts"),
  },
  migrate: {
    takes: "",
    does: "brings the database up to date",
    load: () => import("./migrate.ts"),
  },
  "create-admin": {
    takes: "[EMAIL]",
    does: "makes an administrator of the provider company",
    load: () => import("./createAdmin.ts"),
  },
  "seed-demo": {
    takes: "",
    does: "makes the demonstration companies, accounts and meters",
    load: () => import("./seedDemo.ts"),
  },
  "seed-park": {
    takes: "--company ID --devices N",
    does: "registers the devices that `npm run simulate -- --devices N` plays; --remove takes them away",
    load: () => import("./seedPark.ts"),
  },
  line: {
    takes: "NUMBER [--tcp HOST:PORT | --serial PATH] [--listen WHAT]",
    does: "says or sets how the line of a gateway that we call is reached",
    load: () => import("./line/line.ts"),
  },
  device: {
    takes: "NUMBER [--weight N] [--start N] [--ratio N] [--password FILE] ...",
    does: "says or sets how a device is read: weight, ratio, period, password, keys",
    load: () => import("./device.ts"),
  },
  search: {
    takes: "--tcp HOST:PORT | --serial PATH [--mask 1234FFFF]",
    does: "finds the M-Bus meters of a line by their numbers",
    load: () => import("./line/search.ts"),
  },
  backup: {
    takes: "FILE [--passphrase-file FILE]",
    does: "saves database, files and keys into one file",
    load: () => import("./backup/backup.ts"),
  },
  restore: {
    takes: "FILE [--replace] [--passphrase-file FILE]",
    does: "puts a backup into an empty installation, or over this one",
    load: () => import("./backup/restore.ts"),
  },
  "accept-key": {
    takes: "",
    does: "takes the present secrets.key in place of one that is lost",
    load: () => import("./acceptKey.ts"),
  },
  doctor: {
    takes: "[--all [--repair] [--company ID]]",
    does: "checks this installation and says what is wrong; --all recounts every stored number",
    load: () => import("./doctor/doctor.ts"),
  },
  licence: {
    takes: "keygen | issue | show",
    does: "makes keys, issues and shows licences of server builds",
    load: () => import("./licence.ts"),
  },
};
