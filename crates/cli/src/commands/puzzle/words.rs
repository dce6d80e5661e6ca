//! The words of a booklet in the page's languages.

use crate::args::PuzzleLanguage;

/// All that a booklet says.
#[derive(Debug, Copy, Clone)]
pub(super) struct Words {
    /// The language's tag.
    pub(super) tag: &'static str,
    pub(super) title: &'static str,
    pub(super) solutions: &'static str,
    pub(super) black_wins: &'static str,
    pub(super) white_wins: &'static str,
    pub(super) black_defends: &'static str,
    pub(super) white_defends: &'static str,
    /// `{n}` is the number of turns.
    pub(super) in_turns: &'static str,
    /// Said of wins that need single threats.
    pub(super) single: &'static str,
    /// Said of wins that begin with a turn that threatens nothing.
    pub(super) quiet: &'static str,
    pub(super) grade: &'static str,
    pub(super) free: &'static str,
    pub(super) fails: &'static str,
    pub(super) only: &'static str,
    /// Before the printed note about what the puzzles are.
    pub(super) note: &'static str,
}

pub(super) const fn words(language: PuzzleLanguage) -> Words {
    match language {
        PuzzleLanguage::En => Words {
            tag: "en",
            title: "Connect6 puzzles",
            solutions: "Solutions",
            black_wins: "Black to move and win",
            white_wins: "White to move and win",
            black_defends: "Black to move: find the only defence",
            white_defends: "White to move: find the only defence",
            in_turns: "in {n} turns",
            single: "single threats",
            quiet: "a quiet turn",
            grade: "Grade",
            free: "and any stone",
            fails: "{turn} fails to {reply}.",
            only: "Every other defence loses.",
            note: "Exactly one first turn wins by double threats, or in the way that is named (single threats, a quiet turn); every solution is proved and checked. Grades are machine difficulty.",
        },
        PuzzleLanguage::Ja => Words {
            tag: "ja",
            title: "六目並べの問題集",
            solutions: "解答",
            black_wins: "黒番、勝ち",
            white_wins: "白番、勝ち",
            black_defends: "黒番、唯一の受けは？",
            white_defends: "白番、唯一の受けは？",
            in_turns: "{n}手",
            single: "単独の脅威を含む",
            quiet: "静かな手から",
            grade: "難度",
            free: "もう一つの石は自由",
            fails: "{turn} は {reply} で失敗。",
            only: "他の受けはすべて負け。",
            note: "二重の脅威で（「単独の脅威」「静かな手」とある問題ではその方法で）勝つ初手は一つだけです。解答はすべて証明し、検証しました。難度は機械による目安です。",
        },
        PuzzleLanguage::ZhHans => Words {
            tag: "zh-Hans",
            title: "六子棋习题集",
            solutions: "解答",
            black_wins: "黑先胜",
            white_wins: "白先胜",
            black_defends: "黑先，找出唯一的防守",
            white_defends: "白先，找出唯一的防守",
            in_turns: "{n} 手",
            single: "含单威胁",
            quiet: "静手开始",
            grade: "难度",
            free: "另一子任意",
            fails: "{turn} 被 {reply} 破解。",
            only: "其他防守都输。",
            note: "只有一个首手能以双重威胁取胜（注明单威胁或静手的，则以所注方法）；所有解答都经过证明和检验。难度由机器估计。",
        },
        PuzzleLanguage::ZhHant => Words {
            tag: "zh-Hant",
            title: "六子棋習題集",
            solutions: "解答",
            black_wins: "黑先勝",
            white_wins: "白先勝",
            black_defends: "黑先，找出唯一的防守",
            white_defends: "白先，找出唯一的防守",
            in_turns: "{n} 手",
            single: "含單威脅",
            quiet: "靜手開始",
            grade: "難度",
            free: "另一子任意",
            fails: "{turn} 被 {reply} 破解。",
            only: "其他防守都輸。",
            note: "只有一個首手能以雙重威脅取勝（註明單威脅或靜手的，則以所註方法）；所有解答都經過證明和檢驗。難度由機器估計。",
        },
    }
}
