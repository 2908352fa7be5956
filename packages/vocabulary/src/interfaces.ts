import type { Text } from "./text.ts";

export interface ConnectionInterface {
  readonly id: number;
  /** Wire name of the specification. */
  readonly name: string;
  readonly title: Text;
  /** polled: the platform polls over a line. pushed: the device sends unsolicited data over a network. */
  readonly connectionType: "polled" | "pushed";
}

/** Interface `ethernet_uspd`: a gateway on it signs in with a login and a password. */
export const signInInterface = 42;

/** Radio networks of devices with unsolicited uplinks. */
const pushed: ReadonlySet<number> = new Set([1, 12, 17, 20, 22, 25, 27, 33, 34, 35, 36, 38, 39, 41]);

const entry = (
  id: number,
  name: string,
  ru: string,
  en: string = ru,
  mn: string = en,
): ConnectionInterface => ({
  id,
  name,
  title: { ru, en, mn },
  connectionType: pushed.has(id) ? "pushed" : "polled",
});

/** Connection interfaces, ids 1 to 42 in the order of the specification. */
export const interfaces: readonly ConnectionInterface[] = [
  entry(1, "LoRaWAN", "LoRaWAN"),
  entry(2, "Impulse", "Импульсный", "Pulse", "Импульс"),
  entry(3, "RS_232", "RS-232"),
  entry(4, "RS_485", "RS-485"),
  entry(5, "WM_BUS", "wM-Bus"),
  entry(6, "M_BUS", "M-Bus"),
  entry(7, "Ethernet", "Ethernet"),
  entry(8, "Zigbee", "Zigbee"),
  entry(9, "PLC", "PLC"),
  entry(10, "GSM_GPRS", "GSM/GPRS"),
  entry(11, "CAN", "CAN"),
  entry(12, "NB_Fi", "NB-Fi"),
  entry(13, "Current_loop", "Токовая петля", "Current loop", "Гүйдлийн гогцоо"),
  entry(14, "RS_422", "RS-422"),
  entry(15, "USB", "USB"),
  entry(16, "Wi_Fi", "Wi-Fi"),
  entry(17, "NB_IoT", "NB-IoT"),
  entry(18, "6LoWPAN", "6LoWPAN"),
  entry(19, "3G", "3G"),
  entry(20, "Actility", "Actility"),
  entry(21, "lers_api", "ЛЭРС API", "LERS API", "LERS API"),
  entry(22, "kt_iot", "KT IoT"),
  entry(23, "virtual", "Виртуальный", "Virtual", "Виртуал"),
  entry(24, "temperature", "Температурный", "Temperature", "Температур"),
  entry(25, "net868", "net868"),
  entry(26, "ftp", "FTP"),
  entry(27, "Lartech", "Lartech"),
  entry(28, "CSD", "CSD"),
  entry(29, "one_wire", "1-Wire"),
  entry(30, "single_wire", "Однопроводный", "Single wire", "Нэг утаст"),
  entry(31, "discrete", "Дискретный", "Discrete", "Дискрет"),
  entry(32, "analog", "Аналоговый", "Analogue", "Аналог"),
  entry(33, "ERTH_IoT_Server", "ЭР-Телеком IoT", "ER-Telecom IoT", "ER-Telecom IoT"),
  entry(34, "vega", "Вега", "Vega", "Vega"),
  entry(35, "Lorawan Things stack", "The Things Stack (LoRaWAN)"),
  entry(36, "Lorawan ChirpStack", "ChirpStack (LoRaWAN)"),
  entry(37, "open_out", "Открытый выход", "Open output", "Нээлттэй гаралт"),
  entry(38, "RF433", "RF433"),
  entry(39, "AirBit", "AirBit"),
  entry(40, "Smartgrid", "Smartgrid"),
  entry(41, "NIDD", "NIDD"),
  entry(
    signInInterface,
    "ethernet_uspd",
    "Ethernet, УСПД",
    "Ethernet, data concentrator",
    "Ethernet, өгөгдөл хураагч",
  ),
];
