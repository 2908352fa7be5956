import type { CauseKind } from "@metrum/contract/accounting";
import type { Language, Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Sentences of a balance, by code; `{name}` is a parameter. */
const sentences = {
  ratio: text(
    "Небаланс пропорционален расходу точки: она учитывает в {times} раза меньше, чем нужно для баланса. В карточке {present}, сходится при {proposed}.",
    "The imbalance is proportional to the consumption of the point: it must be {times} times as large for the balance to close. The card says {present}, {proposed} closes it.",
    "Тэнцлийн зөрүү цэгийн хэрэглээтэй пропорциональ: тэнцэхийн тулд {times} дахин байх ёстой. Картад {present}, {proposed} үед тэнцэнэ.",
  ),
  ratio_since: text(
    "С {day} небаланс пропорционален расходу точки: для баланса он нужен в {times} раза. В карточке {present}, сходится при {proposed}.",
    "Since {day} the imbalance is proportional to the consumption of the point: it must be {times} times as large. The card says {present}, {proposed} closes it.",
    "{day}-с хойш зөрүү цэгийн хэрэглээтэй пропорциональ: {times} дахин байх ёстой. Картад {present}, {proposed} үед тэнцэнэ.",
  ),
  phase: text(
    "С {day} расход учтён на {percent} % меньше: ток фазы {phase} отсутствует или обратный.",
    "Since {day} the consumption is {percent} % too low: the current of phase {phase} is missing or reversed.",
    "{day}-с хойш хэрэглээ {percent} % бага: {phase} фазын гүйдэл байхгүй эсвэл урвуу байна.",
  ),
  replacement: text(
    "Прибор заменён {day}, и с этого дня расход отличается от нужного для баланса на {percent} %: проверьте показания и коэффициент при замене.",
    "The meter was replaced on {day}, and since then the consumption is {percent} % away from what the balance needs: check the readings and the ratio of the replacement.",
    "Тоолуурыг {day}-нд сольсон бөгөөд түүнээс хойш хэрэглээ тэнцэлд шаардагдахаас {percent} % зөрж байна: солилтын заалт, коэффициентийг шалгана уу.",
  ),
  fell: text(
    "С {day} расход точки отличается от нужного для баланса на {percent} %.",
    "Since {day} the consumption of the point is {percent} % away from what the balance needs.",
    "{day}-с хойш цэгийн хэрэглээ тэнцэлд шаардагдахаас {percent} % зөрж байна.",
  ),
  shift: text(
    "Сутки точки сдвинуты примерно на {hours} ч: между сутками переносится {moved}. Часы прибора {direction}.",
    "The days of the point are shifted by about {hours} h, which moves {moved} between days. The clock of the device is {direction}.",
    "Цэгийн хоног ойролцоогоор {hours} ц-аар шилжсэн: хоног хооронд {moved} шилжинэ. Төхөөрөмжийн цаг {direction}.",
  ),
  ahead: text("спешат", "ahead", "түрүүлсэн"),
  behind: text("отстают", "behind", "хоцорсон"),
  missing_point: text(
    "Точка стоит в этой ветви, но не входит в группу; её расход объясняет небаланс по дням.",
    "The point stands in this branch and is not in the group; its consumption explains the imbalance day by day.",
    "Цэг энэ салаанд байгаа ч бүлэгт ороогүй; хэрэглээ нь зөрүүг өдрөөр тайлбарлана.",
  ),
  missing_device: text(
    "Прибор стоит в этой ветви, но не привязан ни к одной точке группы.",
    "The device stands in this branch and is tied to no point of the group.",
    "Төхөөрөмж энэ салаанд байгаа ч бүлгийн аль ч цэгт холбогдоогүй.",
  ),
  no_data: text(
    "Суток без данных: {days} ({from} – {to}). Эти сутки не рассчитаны и ни в какую сумму не входят.",
    "Days without data: {days} ({from} – {to}). These days are not computed and enter no sum.",
    "Өгөгдөлгүй хоног: {days} ({from} – {to}). Эдгээр хоног тооцогдоогүй.",
  ),
  no_data_at_all: text(
    "Данных за период нет: пока их нет, баланс не рассчитать.",
    "There are no data of the period: without them no balance can be computed.",
    "Энэ хугацааны өгөгдөл алга: түүнгүйгээр тэнцэл тооцох боломжгүй.",
  ),
  no_meter: text(
    "Прибор к точке не привязан, суток: {days} ({from} – {to}). Привяжите прибор или добавьте расход за это время.",
    "No meter was tied to the point, days: {days} ({from} – {to}). Tie one or add the consumption of that time.",
    "Цэгт тоолуур холбогдоогүй хоног: {days} ({from} – {to}). Тоолуур холбох эсвэл энэ хугацааны хэрэглээг нэмнэ үү.",
  ),
  no_meter_some: text(
    "Суток без данных: {days} ({from} – {to}), из них без прибора: {without}. Эти сутки не рассчитаны и ни в какую сумму не входят.",
    "Days without data: {days} ({from} – {to}), {without} of them without a meter. These days are not computed and enter no sum.",
    "Өгөгдөлгүй хоног: {days} ({from} – {to}), үүнээс тоолуургүй: {without}. Эдгээр хоног тооцогдоогүй.",
  ),
  estimated: text(
    "Часть расхода оценена ({amount}): небаланс этих суток может быть ошибкой оценки.",
    "A part of the consumption is estimated ({amount}): the imbalance of these days may be the error of the estimate.",
    "Хэрэглээний нэг хэсэг нь үнэлгээ ({amount}): эдгээр хоногийн зөрүү үнэлгээний алдаа байж болно.",
  ),
  losses: text(
    "Небаланс похож на потери, которых нет в правиле: {percent} % входа.",
    "The imbalance looks like losses that the rule does not name: {percent} % of the input.",
    "Зөрүү нь дүрэмд ороогүй алдагдалтай төстэй: оролтын {percent} %.",
  ),
  rest_within: text(
    "В пределах погрешности приборов, класс {class}: ±{error}.",
    "Inside the error of the meters, class {class}: ±{error}.",
    "Тоолуурын алдааны хүрээнд, {class} анги: ±{error}.",
  ),
  rest_beyond: text(
    "Больше погрешности приборов, класс {class}: ±{error}. Причина не найдена.",
    "Beyond the error of the meters, class {class}: ±{error}. No cause was found.",
    "Тоолуурын алдаанаас их, {class} анги: ±{error}. Шалтгаан олдсонгүй.",
  ),
  rest_unexplained: text(
    "Больше погрешности приборов, класс {class}: ±{error}. Найденные причины этого не объясняют.",
    "Beyond the error of the meters, class {class}: ±{error}. The causes found do not explain it.",
    "Тоолуурын алдаанаас их, {class} анги: ±{error}. Олдсон шалтгаан үүнийг тайлбарлахгүй.",
  ),
  complete: text("Данные полные", "Complete", "Бүрэн"),
  unmetered_state: text(
    "Данные полные; время без прибора не учтено",
    "Complete; time without a meter is not counted",
    "Бүрэн; тоолуургүй хугацаа тооцогдоогүй",
  ),
  complete_interpolated: text(
    "Данные полные; показания на полночь интерполированы у точек: {points}",
    "Complete; midnights are interpolated at {points} points",
    "Бүрэн; шөнө дундын заалтыг {points} цэгт интерполяцаар тооцсон",
  ),
  covered: text(
    "Неполные данные: точек {points} из {all}, известно {percent} % периода, рассчитано суток {days} из {of}",
    "Incomplete: {points} of {all} points, {percent} % of the period is known, {days} of {of} days are computed",
    "Дутуу: {all} цэгээс {points}, хугацааны {percent} % мэдэгдэж байна, {of} хоногоос {days} тооцсон",
  ),
  missing: text("Не хватает {span}", "{span} missing", "{span} дутуу"),
  hours: text("{hours} ч", "{hours} h", "{hours} ц"),
  days: text("{days} сут", "{days} d", "{days} хон"),
  no_data_state: text("Нет данных", "No data", "Өгөгдөлгүй"),
  estimated_state: text("Оценено {amount}", "{amount} estimated", "{amount} үнэлсэн"),
  interpolated_state: text(
    "Полночь интерполирована",
    "Midnights interpolated",
    "Шөнө дундын заалт интерполяцаар",
  ),
  clock_state: text("Часы прибора", "Clock of the device", "Төхөөрөмжийн цаг"),
  ratio_state: text("Коэффициент?", "Ratio?", "Коэффициент?"),
  other_points: text("Остальные точки: {count}", "Other points: {count}", "Бусад цэг: {count}"),
  losses_name: text("Потери", "Losses", "Алдагдал"),
  imbalance_name: text("Небаланс", "Imbalance", "Зөрүү"),
  rest_name: text("Остаток", "Rest", "Үлдэгдэл"),
  in_name: text("Вход", "In", "Оролт"),
  out_name: text("Выход", "Out", "Гаралт"),
  limit_name: text("Допустимый небаланс", "Allowed imbalance", "Зөвшөөрөх зөрүү"),
  group_name: text("Балансная группа", "Balance group", "Балансын бүлэг"),
  period_name: text("Период", "Period", "Хугацаа"),
  state_name: text("Состояние", "State", "Төлөв"),
  loss_rule_name: text("Правило потерь", "Rule of losses", "Алдагдлын дүрэм"),
  coverage_name: text("Полнота данных", "Coverage", "Өгөгдлийн бүрэн байдал"),
  section_head: text("Итог", "Summary", "Дүн"),
  section_days: text("Небаланс по суткам", "Imbalance by day", "Зөрүү өдрөөр"),
  section_months: text("Небаланс по месяцам", "Imbalance by month", "Зөрүү сараар"),
  section_causes: text("Причины", "Causes", "Шалтгаан"),
  section_coverage: text("Нет данных", "Missing data", "Дутуу өгөгдөл"),
  section_loss: text("Потери, точки", "Losses, points", "Алдагдал, цэгүүд"),
  bill_other: text(
    "Счёт — по версии {version} закрытого месяца {month}: {billed}. Поздние данные: разница {difference}",
    "Version {version} of the closed month {month} bills {billed}. Later data: difference {difference}",
    "Төлбөр хаагдсан {month} сарын {version}-р хувилбараар: {billed}. Хожмын өгөгдөл: зөрүү {difference}",
  ),
  bill_without: text(
    "В счёте по версии {version} закрытого месяца {month} расхода точки нет. Поздние данные: {now}",
    "Version {version} of the closed month {month} bills nothing of the point. Later data: {now}",
    "Хаагдсан {month} сарын {version}-р хувилбарт цэгийн хэрэглээ ороогүй. Хожмын өгөгдөл: {now}",
  ),
  bill_gone: text(
    "Счёт — по версии {version} закрытого месяца {month}: {billed}. По нынешним данным расход неизвестен",
    "Version {version} of the closed month {month} bills {billed}. The present data give no consumption",
    "Төлбөр хаагдсан {month} сарын {version}-р хувилбараар: {billed}. Одоогийн өгөгдлөөр хэрэглээ тодорхойгүй",
  ),
  closed_same: text(
    "{month} закрыт, версия {version}: счета точек совпадают с нынешними данными",
    "{month} is closed, version {version}: the bills of the points equal the present data",
    "{month} хаагдсан, {version}-р хувилбар: цэгүүдийн төлбөр одоогийн өгөгдөлтэй таарч байна",
  ),
  closed_other: text(
    "{month} закрыт, версия {version}: точек с другим счётом: {count}. Баланс — по нынешним данным",
    "{month} is closed, version {version}: points with another bill: {count}. The balance is of the present data",
    "{month} хаагдсан, {version}-р хувилбар: төлбөр нь зөрсөн цэг: {count}. Тэнцэл одоогийн өгөгдлөөр",
  ),
  closed_name: text("Закрытый месяц", "Closed month", "Хаагдсан сар"),
  day_incomplete: text("неполные данные, не рассчитано", "incomplete, not computed", "дутуу, тооцоогүй"),
  day_bridged: text(
    "пропуск закрыт показанием: только в итоге",
    "gap closed by a reading: in the total only",
    "завсар заалтаар хаагдсан: зөвхөн дүнд",
  ),
} as const satisfies Record<string, Text> & Record<Exclude<CauseKind, never>, Text>;
export type SentenceCode = keyof typeof sentences;

export type SentenceParams = Readonly<Record<string, string | number>>;

/** A sentence in the language of the user. */
export function said(code: SentenceCode, language: Language, params: SentenceParams = {}): string {
  return sentences[code][language].replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    String(params[name] ?? all),
  );
}

/** 11.2026 for 2026-11-14. */
export const monthText = (day: string): string => dateText(day).slice(3);

/** 14.11.2026 for 2026-11-14. */
export const dateText = (day: string): string => day.split("-").toReversed().join(".");
