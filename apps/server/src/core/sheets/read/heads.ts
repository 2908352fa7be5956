import { languages, type Text } from "@metrum/vocabulary";

/** What the columns of registers are called in the trade, besides the titles of their fields. */
const tradeNames: Readonly<Record<string, readonly string[]>> = {
  deviceID: [
    ...["заводской номер", "заводской №", "зав. №", "зав. номер", "зав. № прибора", "зав. номер прибора"],
    ...["№ прибора", "номер прибора", "№ счётчика", "номер счётчика", "заводской номер счётчика"],
    ...["заводской номер прибора", "серийный номер", "serial number", "serial", "s/n", "meter number"],
    ...["үйлдвэрийн дугаар", "сериал дугаар", "тоолуурын дугаар"],
  ],
  name: ["наименование", "наименование прибора", "название прибора", "имя", "device name", "meter name"],
  model_id: [
    ...["тип прибора", "тип счётчика", "тип", "тип пу", "модель прибора", "модель счётчика", "марка"],
    ...["марка счётчика", "тип прибора учёта", "meter type", "type", "тоолуурын төрөл"],
  ],
  place: ["адрес установки", "место установки", "адрес", "адрес объекта", "address", "location", "хаяг"],
  gatewayID: ["модем", "номер модема", "номер шлюза", "успд", "концентратор", "modem", "gateway number"],
  inside_addr: [
    ...["сетевой адрес", "сетевой адрес прибора", "адрес прибора", "адрес modbus", "modbus адрес"],
    ...["network address", "bus address", "modbus address", "сүлжээний хаяг"],
  ],
  transformation_ratio: ["ктт", "ктр", "расчётный коэффициент", "коэф. трансформации", "ct ratio", "ratio"],
  report_period_minutes: ["период опроса", "интервал опроса", "период опроса, минут", "poll period"],
  starting_value: ["начальные показания", "показания при установке"],
  desc: ["примечание", "комментарий", "comment", "note"],
  phone_number: ["номер телефона", "номер sim", "phone number"],
  is_active: ["опрос", "опрашивается", "в работе"],
  interface_id: ["тип связи", "канал связи"],
  device_id: ["imei", "идентификатор", "серийный номер", "заводской номер", "зав. №", "serial number"],
  time: [
    ...["время", "дата", "дата и время", "дата/время", "дата показаний", "дата снятия показаний"],
    ...["date", "date and time", "reading date", "огноо"],
  ],
  city: ["населённый пункт", "town"],
  house: ["№ дома", "номер дома", "building"],
  consumer: ["абонент", "контрагент", "customer"],
  consumer_inn: ["инн", "инн абонента"],
  number_of_contract: ["№ договора", "номер договора", "contract number"],
  point_name: ["наименование точки учёта", "accounting point name"],
};

/** What an export adds to the title of a column of times, or a register as the unit. */
const addition = /\s*\([^()]*\)$/;

/** A heading without what differs from file to file: case, points, commas, line breaks. */
const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll("ё", "е")
    .replaceAll(/[^\p{L}\p{N}№%]+/gu, " ")
    .trim();

interface Named {
  readonly field: string;
  readonly title: Text;
  /** Further names of its column, where the field has them in one kind of file only. */
  readonly names?: readonly string[];
}

/** The field that a heading means: by its name or its title in any language, else by a name of the trade. */
export function fieldNamed(fields: readonly Named[], heading: string): string | undefined {
  for (const wanted of new Set([plain(heading), plain(heading.trim().replace(addition, ""))])) {
    if (wanted === "") continue;
    const titled = fields.find(
      ({ field, title }) =>
        plain(field) === wanted || languages.some((language) => plain(title[language]) === wanted),
    );
    const meant =
      titled ??
      fields.find(
        ({ field, names = [] }) => namesOf(field).has(wanted) || names.some((each) => plain(each) === wanted),
      );
    if (meant) return meant.field;
  }
  return undefined;
}

const plainNames = new Map(
  Object.entries(tradeNames).map(([field, names]) => [field, new Set(names.map(plain))]),
);
const noNames: ReadonlySet<string> = new Set();
const namesOf = (field: string): ReadonlySet<string> => plainNames.get(field) ?? noNames;
