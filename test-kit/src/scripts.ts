/** A sentence or two in many scripts, with their tokens in the vocabulary o200k, counted by gpt-tokenizer 4.0.0. */
export const scripts: readonly { readonly script: string; readonly tokens: number; readonly text: string }[] = [
  {
    script: 'English',
    tokens: 39,
    text: 'The committee will meet again on Thursday to decide whether the new railway line should be built along the northern coast. Several residents have written letters, and most of them ask for quieter trains at night.',
  },
  {
    script: 'German',
    tokens: 50,
    text: 'Der Ausschuss trifft sich am Donnerstag erneut, um zu entscheiden, ob die neue Bahnstrecke entlang der nördlichen Küste gebaut werden soll. Mehrere Anwohnerinnen haben Briefe geschrieben und bitten um leisere Züge in der Nacht.',
  },
  {
    script: 'French',
    tokens: 46,
    text: 'Le comité se réunira de nouveau jeudi pour décider si la nouvelle ligne de chemin de fer doit être construite le long de la côte nord. Plusieurs habitants ont écrit des lettres et demandent des trains plus silencieux la nuit.',
  },
  {
    script: 'Polish',
    tokens: 71,
    text: 'Komisja zbierze się ponownie w czwartek, aby zdecydować, czy nowa linia kolejowa powinna zostać zbudowana wzdłuż północnego wybrzeża. Kilku mieszkańców napisało listy z prośbą o cichsze pociągi w nocy.',
  },
  {
    script: 'Vietnamese',
    tokens: 58,
    text: 'Ủy ban sẽ họp lại vào thứ Năm để quyết định xem tuyến đường sắt mới có nên được xây dựng dọc theo bờ biển phía bắc hay không. Nhiều cư dân đã viết thư yêu cầu tàu chạy êm hơn vào ban đêm.',
  },
  {
    script: 'Russian',
    tokens: 52,
    text: 'Комитет снова соберётся в четверг, чтобы решить, следует ли строить новую железнодорожную линию вдоль северного побережья. Несколько жителей написали письма и просят, чтобы поезда ночью ходили тише.',
  },
  {
    script: 'Greek',
    tokens: 69,
    text: 'Η επιτροπή θα συνεδριάσει ξανά την Πέμπτη για να αποφασίσει αν η νέα σιδηροδρομική γραμμή πρέπει να κατασκευαστεί κατά μήκος της βόρειας ακτής. Αρκετοί κάτοικοι έγραψαν επιστολές.',
  },
  {
    script: 'Hebrew',
    tokens: 57,
    text: 'הוועדה תתכנס שוב ביום חמישי כדי להחליט אם יש לבנות את קו הרכבת החדש לאורך החוף הצפוני. כמה תושבים כתבו מכתבים ורובם מבקשים רכבות שקטות יותר בלילה.',
  },
  {
    script: 'Arabic',
    tokens: 49,
    text: 'ستجتمع اللجنة مرة أخرى يوم الخميس لتقرر ما إذا كان ينبغي بناء خط السكة الحديدية الجديد على طول الساحل الشمالي. وقد كتب العديد من السكان رسائل يطلبون فيها قطارات أكثر هدوءا في الليل.',
  },
  {
    script: 'Persian',
    tokens: 44,
    text: 'کمیته روز پنجشنبه دوباره تشکیل جلسه خواهد داد تا تصمیم بگیرد که آیا خط آهن جدید باید در امتداد ساحل شمالی ساخته شود یا نه. چند تن از ساکنان نامه نوشته‌اند.',
  },
  {
    script: 'Thai',
    tokens: 70,
    text: 'คณะกรรมการจะประชุมอีกครั้งในวันพฤหัสบดีเพื่อตัดสินใจว่าควรสร้างทางรถไฟสายใหม่เลียบชายฝั่งทางเหนือหรือไม่ ชาวบ้านหลายคนได้เขียนจดหมายขอให้รถไฟเงียบกว่านี้ในเวลากลางคืน',
  },
  {
    script: 'Lao',
    tokens: 185,
    text: 'ຄະນະກຳມະການຈະປະຊຸມອີກຄັ້ງໃນວັນພະຫັດເພື່ອຕັດສິນໃຈວ່າຄວນສ້າງທາງລົດໄຟສາຍໃໝ່ລຽບຕາມຝັ່ງທະເລພາກເໜືອຫຼືບໍ່',
  },
  {
    script: 'Burmese',
    tokens: 64,
    text: 'ကော်မတီသည် မြောက်ပိုင်းကမ်းရိုးတန်းတစ်လျှောက် ရထားလမ်းအသစ် ဖောက်လုပ်သင့် မသင့် ဆုံးဖြတ်ရန် ကြာသပတေးနေ့တွင် ထပ်မံတွေ့ဆုံမည်ဖြစ်သည်။',
  },
  {
    script: 'Khmer',
    tokens: 71,
    text: 'គណៈកម្មាធិការនឹងជួបប្រជុំម្តងទៀតនៅថ្ងៃព្រហស្បតិ៍ ដើម្បីសម្រេចថាតើគួរសាងសង់ផ្លូវដែកថ្មីតាមបណ្តោយឆ្នេរភាគខាងជើងឬទេ។',
  },
  {
    script: 'Hindi',
    tokens: 51,
    text: 'समिति गुरुवार को फिर बैठक करेगी ताकि यह तय किया जा सके कि नई रेलवे लाइन उत्तरी तट के साथ बनाई जानी चाहिए या नहीं। कई निवासियों ने पत्र लिखकर रात में शांत रेलगाड़ियों की माँग की है।',
  },
  {
    script: 'Bengali',
    tokens: 44,
    text: 'নতুন রেললাইনটি উত্তর উপকূল বরাবর নির্মাণ করা উচিত কিনা তা সিদ্ধান্ত নিতে কমিটি বৃহস্পতিবার আবার বৈঠক করবে। বেশ কয়েকজন বাসিন্দা চিঠি লিখেছেন।',
  },
  {
    script: 'Tamil',
    tokens: 50,
    text: 'புதிய ரயில் பாதையை வடக்கு கடற்கரையோரமாக அமைக்க வேண்டுமா என்பதை முடிவு செய்ய குழு வியாழக்கிழமை மீண்டும் கூடும். பல குடியிருப்பாளர்கள் கடிதங்கள் எழுதியுள்ளனர்.',
  },
  {
    script: 'Telugu',
    tokens: 40,
    text: 'కొత్త రైల్వే మార్గాన్ని ఉత్తర తీరం వెంబడి నిర్మించాలా వద్దా అని నిర్ణయించడానికి కమిటీ గురువారం మళ్ళీ సమావేశమవుతుంది.',
  },
  {
    script: 'Malayalam',
    tokens: 39,
    text: 'പുതിയ റെയിൽവേ പാത വടക്കൻ തീരത്തുകൂടി നിർമ്മിക്കണമോ എന്ന് തീരുമാനിക്കാൻ സമിതി വ്യാഴാഴ്ച വീണ്ടും യോഗം ചേരും.',
  },
  {
    script: 'Sinhala',
    tokens: 59,
    text: 'නව දුම්රිය මාර්ගය උතුරු වෙරළ තීරය දිගේ ඉදිකළ යුතුද යන්න තීරණය කිරීමට කමිටුව බ්‍රහස්පතින්දා නැවත රැස්වේ.',
  },
  {
    script: 'Georgian',
    tokens: 46,
    text: 'კომიტეტი ხუთშაბათს კვლავ შეიკრიბება, რათა გადაწყვიტოს, უნდა აშენდეს თუ არა ახალი რკინიგზა ჩრდილოეთ სანაპიროს გასწვრივ.',
  },
  {
    script: 'Armenian',
    tokens: 47,
    text: 'Հանձնաժողովը հինգշաբթի օրը կրկին կհավաքվի՝ որոշելու, թե արդյոք նոր երկաթուղային գիծը պետք է կառուցվի հյուսիսային ափի երկայնքով։',
  },
  {
    script: 'Amharic',
    tokens: 135,
    text: 'ኮሚቴው አዲሱ የባቡር መስመር በሰሜናዊው የባህር ዳርቻ መሠራት እንዳለበት ለመወሰን ሐሙስ ዕለት እንደገና ይሰበሰባል።',
  },
  {
    script: 'Chinese',
    tokens: 42,
    text: '委员会将于星期四再次开会，决定是否应沿北部海岸修建新的铁路线。几位居民写了信，其中大多数人要求夜间列车更加安静。',
  },
  {
    script: 'Japanese',
    tokens: 66,
    text: '委員会は木曜日に再び会合を開き、新しい鉄道路線を北部の海岸沿いに建設すべきかどうかを決定します。何人かの住民が手紙を書き、夜間はもっと静かな列車を求めています。',
  },
  {
    script: 'Korean',
    tokens: 48,
    text: '위원회는 목요일에 다시 모여 새로운 철도 노선을 북쪽 해안을 따라 건설해야 하는지 결정할 것이다. 여러 주민들이 편지를 써서 밤에는 더 조용한 기차를 요청했다.',
  },
  { script: 'Emoji', tokens: 49, text: '🎉🚂👍🏽 😀😂🤣 👨‍👩‍👧‍👦 🇩🇪🇫🇷 ❤️🔥 🌈✨ 🧑🏿‍💻 🏳️‍🌈' },
]
