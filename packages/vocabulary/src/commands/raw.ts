import type { ChangingCommand } from "./commandArguments.ts";
import { text } from "./commandText.ts";

const warning = text(
  "Отправить байты без проверки? Прибор выполнит то, что в них записано",
  "Send the bytes unchecked? The device will carry out whatever they say",
  "Байтыг шалгалгүй илгээх үү? Төхөөрөмж дотор нь бичсэнийг гүйцэтгэнэ",
);
/** Bytes may mean anything, so they count as actuation. */
const raw = {
  changesDevice: true,
  actuates: true,
  isRepeatable: false,
  confirmation: warning,
  isBeside: true,
} as const;

/** Bytes of a user. */
export const rawCommands = [
  {
    ...raw,
    key: "send_raw_payload",
    title: text("Произвольная команда", "Free command", "Чөлөөт команд"),
    arguments: [
      {
        key: "payload",
        title: text("Данные", "Payload", "Өгөгдөл"),
        kind: "bytes",
        minimum: 2,
        maximum: 444,
        isRequired: true,
      },
      {
        key: "fport",
        title: text("Порт", "Port", "Порт"),
        kind: "number",
        unit: "none",
        minimum: 0,
        maximum: 255,
        step: 1,
        isRequired: true,
      },
      {
        key: "class",
        title: text("Класс", "Class", "Ангилал"),
        kind: "choice",
        choices: [
          { value: "A", title: text("A", "A", "A") },
          { value: "C", title: text("C", "C", "C") },
        ],
        isRequired: true,
      },
    ],
  },
  {
    ...raw,
    key: "bytes",
    title: text("Байты", "Bytes", "Байт"),
    arguments: [
      {
        key: "bytes",
        title: text("Байты", "Bytes", "Байт"),
        kind: "bytes",
        minimum: 2,
        maximum: 444,
        isRequired: true,
      },
    ],
  },
] as const satisfies readonly ChangingCommand[];
