// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/label_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <unordered_map>

namespace limber::mocap::internal {

namespace {

/// An English word and what it is called in German, Dutch, French, Spanish,
/// Portuguese, Italian, Scandinavian, Polish, Turkish and Japanese letters,
/// without accents.
struct Translation {
  std::string_view english;
  std::string_view words;
};
constexpr std::array<Translation, 51> kTranslations = {{
    {"left",
     "links linke linker linkes li gauche gau izq izquierda izquierdo iz sx "
     "sin sinistra sinistro esq esquerda esquerdo vanster venstre lewy lewa "
     "lewe hidari sol"},
    {"right",
     "rechts rechte rechter rechtes re droite droit dro der derecha derecho "
     "dx des destra destro dir direita direito hoger hojre hoyre prawy prawa "
     "prawe migi sag"},
    {"pelvis", "becken bekken bassin bacino bacia bacen backen miednica"},
    {"hip",
     "hufte huefte heup hanche cadera anca quadril hoft hofte biodro koshi "
     "kalca"},
    {"sacrum", "sacro sakrum kreuzbein heiligbeen korsben"},
    {"thigh",
     "oberschenkel bovenbeen dijbeen dij cuisse muslo coxa coscia udo "
     "daibutai"},
    {"knee", "knie genou rodilla joelho ginocchio kna knae kolano hiza diz"},
    {"patella", "kniescheibe knieschijf rotule rotula"},
    {"shank",
     "unterschenkel schienbein onderbeen scheenbeen jambe pierna perna gamba "
     "underben podudzie goleni sune"},
    {"calf", "wade kuit mollet pantorrilla panturrilha polpaccio"},
    {"ankle",
     "knochel knoechel sprunggelenk enkel cheville tobillo tob tornozelo torn "
     "caviglia fotled ankel kostka ashikubi osg ayakbilegi"},
    {"malleolus", "malleole malleolo maleolo maleolus"},
    {"heel",
     "ferse hiel talon tallone calcanhar calcagno hael pieta kakato "
     "calcaneo topuk"},
    {"foot", "fuss voet pied pie piede pe fot fod stopa ashi"},
    {"toe",
     "zehe zeh grosszehe zehen teen tenen orteil orteils alluce palec "
     "tsumasaki"},
    {"metatarsal", "metatarso metatarsien metatarse mittelfuss"},
    {"shoulder",
     "schulter schouder epaule hombro ombro spalla axel skulder bark kata "
     "omuz"},
    {"acromion", "akromion acromio"},
    {"upperarm",
     "oberarm bovenarm bras brazo braco braccio overarm ramie jouwan"},
    {"elbow",
     "ellbogen ellenbogen elleboog coude codo cotovelo gomito armbage albue "
     "albu lokiec hiji dirsek"},
    {"forearm",
     "unterarm onderarm avantbras antebrazo antebraco avambraccio underarm "
     "przedramie zenwan"},
    {"wrist",
     "handgelenk pols poignet muneca mun punho polso handled handledd "
     "nadgarstek "
     "tekubi elbilegi"},
    {"hand", "main mano mao dlon"},
    {"finger", "vinger doigt dedo dito"},
    {"thumb", "daumen duim pouce pulgar polegar pollice"},
    {"head",
     "kopf hoofd tete cabeza cabeca testa huvud hoved hode glowa atama"},
    {"forehead", "stirn voorhoofd fronte"},
    {"neck", "nacken hals nek cou cuello pescoco collo nacke nakke szyja kubi"},
    {"sternum", "brustbein borstbeen sterno esternon esterno brostben mostek"},
    {"chest", "brust borst poitrine pecho peito petto brost bryst mune"},
    {"back", "rucken ruecken rug dos espalda costas schiena rygg ryg plecy"},
    {"scapula", "schulterblatt schouderblad omoplate escapula"},
    {"clavicle",
     "schlusselbein schluesselbein sleutelbeen clavicule clavicola"},
    {"lateral",
     "aussen auben buiten ext externe externo externa exterieur esterno "
     "esterna laterale lateralis seitlich utsida"},
    {"medial",
     "innen binnen int interne interno interna interieur mediale medialis "
     "insida"},
    {"front",
     "vorne vorn vorderer voor avant av anterieur anteriore delante frente "
     "davanti fram foran"},
    {"back2",
     "hinten hinterer achter arriere ar posterieur posteriore detras atras "
     "tras dietro bak bag"},
    {"upper", "oben oberer boven haut superieur superiore arriba cima sopra"},
    {"lower", "unten unterer onder bas inferieur inferiore abajo baixo sotto"},
    {"top", "scheitel sommet vertice"},
    {"cluster", "platte plaque placa piastra"},
    {"trochanter", "trokanter"},
    {"condyle", "condilo condylus kondylus kondyle condyl"},
    {"epicondyle", "epicondilo epicondylus epikondylus epikondyle"},
    {"1", "first 1st"},
    {"2", "second 2nd"},
    {"3", "third 3rd"},
    {"5", "fifth 5th"},
    {"7", "seventh 7th"},
    {"10", "tenth 10th"},
    {"12", "twelfth 12th"},
}};

/// English directions, and numbers, are no landmarks by themselves.
bool IsDirection(std::string_view english) {
  if (std::isdigit(static_cast<unsigned char>(english.front())) != 0) {
    return true;
  }
  return english == "lateral" || english == "medial" || english == "front" ||
         english == "back2" || english == "upper" || english == "lower";
}

using Meanings = std::vector<std::string_view>;

const std::unordered_map<std::string_view, Meanings>& Dictionary() {
  static const auto dictionary = [] {
    std::unordered_map<std::string_view, Meanings> made;
    for (const Translation& translation : kTranslations) {
      std::string_view words = translation.words;
      while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (end > 0) {
          made[words.substr(0, end)].push_back(translation.english);
        }
        words.remove_prefix(std::min(end + 1, words.size()));
      }
    }
    return made;
  }();
  return dictionary;
}

std::string Translated(std::string_view word, bool is_alone) {
  // The index of a cluster stays behind its word.
  std::size_t end = word.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(word[end - 1]))) {
    --end;
  }
  const auto found = Dictionary().find(word.substr(0, end));
  if (found == Dictionary().end()) return std::string(word);
  for (const std::string_view meaning : found->second) {
    // A word may be a part of the body when it stands alone and a direction
    // beside another ("esterno": sternum, and outer).
    if (IsDirection(meaning) == is_alone && found->second.size() > 1) continue;
    if (IsDirection(meaning) && is_alone) continue;
    const std::string_view english = meaning == "back2" ? "back" : meaning;
    return std::string(english) + std::string(word.substr(end));
  }
  return std::string(word);
}

/// A letter without its accent: UTF-8 of the Latin letters of Europe.
std::string WithoutAccents(std::string_view label) {
  // From U+00C0 to U+00FF; capitals and small letters in the same order.
  constexpr std::string_view kPlain =
      "AAAAAAACEEEEIIIIDNOOOOO-OUUUUYTsaaaaaaaceeeeiiiidnooooo-ouuuuyty";
  std::string plain;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto c = static_cast<std::uint8_t>(label[i]);
    const auto next =
        static_cast<std::uint8_t>(i + 1 < label.size() ? label[i + 1] : '\0');
    if (c == 0xC3 && next >= 0x80 && next < 0xC0) {
      plain += kPlain[next - 0x80];
      ++i;
    } else {
      plain += label[i];
    }
  }
  return plain;
}

std::vector<std::string> Cut(std::string_view label) {
  std::vector<std::string> words;
  std::string word;
  const auto is_upper = [&](std::size_t i) {
    return i < label.size() &&
           std::isupper(static_cast<unsigned char>(label[i])) != 0;
  };
  const auto is_lower = [&](std::size_t i) {
    return i < label.size() &&
           std::islower(static_cast<unsigned char>(label[i])) != 0;
  };
  for (std::size_t i = 0; i < label.size(); ++i) {
    const bool is_word =
        std::isalnum(static_cast<unsigned char>(label[i])) != 0;
    const bool begins =
        i > 0 && is_upper(i) && (is_lower(i - 1) || is_lower(i + 1));
    if ((!is_word || begins) && !word.empty()) {
      words.push_back(word);
      word.clear();
    }
    if (is_word) {
      word +=
          static_cast<char>(std::tolower(static_cast<unsigned char>(label[i])));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace

LabelSide SideOfWord(std::string_view word) {
  if (word == "l" || word == "left" || word == "lt" || word == "lft") {
    return LabelSide::kLeft;
  }
  if (word == "r" || word == "right" || word == "rt" || word == "rgt") {
    return LabelSide::kRight;
  }
  return LabelSide::kNone;
}

std::vector<std::string> SplitLabel(std::string_view label) {
  const std::vector<std::string> words = Cut(WithoutAccents(label));
  std::vector<std::string> english;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // Two words that are one ("avant-bras").
    if (i + 1 < words.size() &&
        Dictionary().contains(words[i] + words[i + 1])) {
      english.push_back(Translated(words[i] + words[i + 1], false));
      ++i;
      continue;
    }
    const auto is_other = [&](const std::string& other) {
      return &other != &words[i] &&
             !std::isdigit(static_cast<unsigned char>(other.front())) &&
             SideOfWord(Translated(other, false)) == LabelSide::kNone;
    };
    const bool is_alone = std::ranges::none_of(words, is_other);
    english.push_back(Translated(words[i], is_alone));
  }
  return english;
}

}  // namespace limber::mocap::internal
