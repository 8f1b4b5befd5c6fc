// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What labels say, in the conventions people use. The lists are the sets as
// their makers publish them, not those of any recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "mocap/solve/body.h"
#include "mocap/solve/landmarks.h"

namespace limber::test {
namespace {

using namespace mocap;

std::string SegmentOf(const std::string& label) {
  const std::vector<LabelReading> readings = ReadLabel(label);
  if (readings.empty()) return "nothing";
  return std::string(Body()[readings.front().segment].name);
}

/// Labels parted by blanks, "~" for a blank inside one; "R?" and "L?" beside
/// each other stand for both sides.
struct Convention {
  const char* name;
  const char* segment;  ///< With "left-" for parts that come in pairs.
  const char* labels;   ///< Of the left side.
};

class Words : public testing::TestWithParam<Convention> {};

TEST_P(Words, NameTheirSegment) {
  std::istringstream labels(GetParam().labels);
  std::string label;
  while (labels >> label) {
    std::ranges::replace(label, '~', ' ');
    EXPECT_EQ(SegmentOf(label), GetParam().segment)
        << GetParam().name << " " << label;
  }
}

constexpr const char* kPig = "Plug-in Gait";
constexpr const char* kIsb = "anatomical letters";
constexpr const char* kOpenSim = "OpenSim";
constexpr const char* kQualisys = "Qualisys";
constexpr const char* kMotive = "OptiTrack";
constexpr const char* kHelenHayes = "Helen Hayes, Cleveland, BTS";
constexpr const char* kPublic = "abbreviations of public gait data";
constexpr const char* kEnglish = "plain English";
constexpr const char* kLanguages = "other languages";
constexpr const char* kShort = "abbreviations";
INSTANTIATE_TEST_SUITE_P(
    Conventions, Words,
    testing::Values(
        Convention{kLanguages, "pelvis",
                   "Becken_vorne_links SIAS~sx cadera_ant_izq"},
        Convention{kLanguages, "chest", "Brustbein sterno esternon Esterno"},
        Convention{kLanguages, "left-upper-leg",
                   "Oberschenkel_links_1 coscia~sx muslo_izq CuisseGauche "
                   "Knie_aussen_links ginocchio~sx RodillaIzq joelho_esq"},
        Convention{kLanguages, "left-lower-leg",
                   "Unterschenkel_links gamba~sx Kn\xC3\xB6"
                   "chel_innen_li "
                   "malleolo~esterno~sx tobillo_izq tornozelo_esq"},
        Convention{kLanguages, "left-forearm",
                   "avant-bras_gauche Handgelenk_links mu\xC3\xB1"
                   "eca_izq"},
        Convention{kShort, "chest", "TRNK1 trnk"},
        Convention{kShort, "left-lower-leg", "L_sh1_study LSH2"},
        Convention{kShort, "left-forearm", "LRS LUS"},
        Convention{kShort, "left-upper-leg", "L_TH_UR L_TH_A THGH_L"},
        Convention{kShort, "left-foot",
                   "left~head~of~first~metatarsal L_1st_met_head"},
        Convention{kPig, "pelvis", "LASI RASI LPSI RPSI SACR Bob:LASI"},
        Convention{kPig, "chest", "C7 T10 CLAV STRN RBAK"},
        Convention{kPig, "head", "LFHD RFHD LBHD RBHD"},
        Convention{kPig, "left-clavicle", "LSHO lsho L_SHO"},
        Convention{kPig, "left-upper-arm", "LUPA LELB"},
        Convention{kPig, "left-forearm", "LFRM LFRA LWRA LWRB"},
        Convention{kPig, "left-hand", "LFIN"},
        Convention{kPig, "left-upper-leg",
                   "LTHI LKNE LKNM LTHAP LTHAD LPAT LMKN"},
        Convention{kPig, "left-lower-leg", "LTIB LANK LMMA LTIAP LTIAD LMED"},
        Convention{kPig, "left-foot", "LHEE LTOE LSMH LFMH LVMH LD1M LP5M"},
        Convention{kPig, "right-lower-leg", "RTIB RANK"},
        Convention{kIsb, "pelvis", "L_IAS L_IPS R_IAS LIAS RIPS"},
        Convention{kIsb, "left-upper-leg", "L_FTC L_FLE L_FME LFLE LFME LTH1"},
        Convention{kIsb, "left-lower-leg",
                   "L_FAX L_TTC L_FAL L_TAM LSK1 LSK4 L_SK2"},
        Convention{kIsb, "left-foot", "L_FCC L_FM1 L_FM2 L_FM5 LFCC"},
        Convention{kIsb, "chest", "CV7 TV10 SXS SJN TV2 TV7 TV12"},
        Convention{kIsb, "left-clavicle", "L_SIA L_SRS L_SAA L_SAE LCAJ"},
        Convention{kIsb, "left-upper-arm", "L_HLE L_HME LHGT LUA1"},
        Convention{kIsb, "left-forearm", "L_UOA L_RSP L_UHE LUSP LRSP"},
        Convention{kIsb, "left-hand", "L_HM2 L_HM5"},
        Convention{kIsb, "head", "LAH RAH LPH RPH"},
        Convention{kOpenSim, "pelvis",
                   "R.ASIS L.ASIS V.Sacral r.ASIS_study L.PSIS_study RHJC"},
        Convention{kOpenSim, "right-upper-leg",
                   "R.Thigh.Upper R.Thigh.Front R.Thigh.Rear R.Knee.Lat "
                   "R.Knee.Med RTH1 RLFC RMFC RKJC r_knee_study r_mknee_study "
                   "r_thigh1_study"},
        Convention{kOpenSim, "right-lower-leg",
                   "R.Shank.Upper R.Ankle.Lat R.Ankle.Med RTB2 RLMAL RMMAL "
                   "RAJC r_ankle_study r_mankle_study r_sh1_study"},
        Convention{kOpenSim, "right-foot",
                   "R.Heel R.Midfoot.Sup R.Toe.Lat R.Toe.Med RCAL RTOE RMT5 "
                   "r_calc_study r_toe_study r_5meta_study"},
        Convention{kOpenSim, "right-toes", "R.Toe.Tip"},
        Convention{kOpenSim, "right-clavicle",
                   "R.Acromium RACR RASH RPSH RSJC r_shoulder_study"},
        Convention{kOpenSim, "right-upper-arm",
                   "R.Bicep R.Elbow RLEL RMEL REJC RUA2 r_lelbow_study "
                   "r_melbow_study"},
        Convention{kOpenSim, "right-forearm",
                   "R.Wrist.Med R.Wrist.Lat RFAradius RFAulna RFAsuperior "
                   "r_lwrist_study r_mwrist_study"},
        Convention{kOpenSim, "head", "Top.Head R.Temple"},
        Convention{kQualisys, "head", "HeadL HeadR HeadFront HeadTop"},
        Convention{kQualisys, "chest",
                   "SpineTop Chest SpineThoracic2 SpineThoracic12 BackL BackR"},
        Convention{kQualisys, "left-clavicle",
                   "LShoulderTop LShoulderBack LShoulderFront"},
        Convention{kQualisys, "left-upper-arm",
                   "LArm LElbowOut LElbowIn LArmHigh"},
        Convention{kQualisys, "left-forearm", "LWristOut LWristIn"},
        Convention{kQualisys, "left-hand", "LHandOut LHandIn LHand2"},
        Convention{kQualisys, "pelvis",
                   "WaistLFront WaistRFront WaistL WaistR WaistLBack "
                   "WaistRBack WaistBack"},
        Convention{kQualisys, "left-upper-leg",
                   "LThigh LThighFrontLow LKneeOut LKneeIn"},
        Convention{kQualisys, "left-lower-leg",
                   "LShin LShinFrontHigh LAnkleOut LAnkleIn"},
        Convention{kQualisys, "left-foot",
                   "LForefootOut LForefootIn LForefoot2 LForefoot5 LHeelBack"},
        Convention{kQualisys, "left-toes", "LToeTip"},
        Convention{kMotive, "head", "HeadTop HeadFront HeadSide"},
        Convention{kMotive, "chest", "BackTop BackLeft BackRight Chest"},
        Convention{kMotive, "left-upper-arm", "LUArmHigh LElbowOut LUArm1"},
        Convention{kMotive, "left-foot", "LToeIn LToeOut LHeel LFoot1"},
        Convention{kMotive, "left-toes", "LToeTip LDP1"},
        Convention{kMotive, "left-lower-leg", "LShin LAnkleOut LShin2"},
        Convention{kHelenHayes, "pelvis",
                   "r~asis l~asis sacrum VSAC R_ASIS SACRUM"},
        Convention{kHelenHayes, "right-upper-leg",
                   "r~thigh r~bar~1 r~knee~1 R.Thigh R_THIGH_3 RGTR RTHIGH "
                   "RKNEE r_knee_lat knee_med_r KneeLatR"},
        Convention{kHelenHayes, "right-lower-leg",
                   "r~bar~2 r~knee~2 r~mall R.Shank R_SHANK_1 RANKLE "
                   "ankle_lat_r RLM RMM"},
        Convention{kHelenHayes, "right-foot",
                   "r~met r~heel R_MT_1 R_MT_5 R_HEEL RHEEL"},
        Convention{kHelenHayes, "right-clavicle", "r~should R.Shoulder RSHO"},
        Convention{kPublic, "pelvis",
                   "R_ILCR RILC ASISR PSISR RightASIS SIASR RPS SacrumMid "
                   "PELV1"},
        Convention{kPublic, "chest",
                   "TH8 Th10 XPH Sternale SpineT7 MNBR RTRAP STER TRX1"},
        Convention{kPublic, "head", "THD LTEMP RTRAGUS LTRAGION GLAB OCC"},
        Convention{kPublic, "right-upper-arm", "RELM RDELT RLHE R_Humerus1"},
        Convention{kPublic, "right-forearm", "RWRM RWRL RFAR1 RRAD R_USP"},
        Convention{kPublic, "right-hand", "RHA1 R_3MC RMCP2 RKNUCKLE"},
        Convention{kPublic, "right-upper-leg",
                   "RTHL1 RTH_CLUST1 RTH2 RTH4 R_Th_2 RMEDCOND CondLatR RCL "
                   "RCM RUTH RMTH RLTH RTHU RTHR RTHF RTHB RKNEEO R.GTR "
                   "R.Knee.Medial"},
        Convention{kPublic, "right-lower-leg",
                   "R.HF R.TT RTF1 RHFB RTIBT RTS1 RMSH RSHU RSHF RSHB "
                   "R.Ankle.Medial RFIBHEAD"},
        Convention{kPublic, "right-foot",
                   "R1MTH R5MTH RD2MT RMH1 R_Met_Head_1 R.MT5 RMETA5 RMTP1"},
        Convention{kPublic, "right-toes", "RBTOE RGTOE RHLX R_Toe_Tip"},
        Convention{kEnglish, "left-upper-leg",
                   "LeftThigh left_knee_lateral LateralFemoralEpicondyleL "
                   "left~lateral~epicondyle thigh_l_2 Thigh1.L"},
        Convention{kEnglish, "left-lower-leg",
                   "LeftAnkle lateral_malleolus_left MedialMalleolusL "
                   "left_shin_1"},
        Convention{kEnglish, "left-foot",
                   "left_heel LeftToe CalcaneusL TarsalMetaHead5L"},
        Convention{kEnglish, "pelvis",
                   "left_asis AnteriorSuperiorIliacSpineR sacrum_cluster1"},
        Convention{kEnglish, "left-forearm", "LeftWrist RadialStyloidL"},
        Convention{kEnglish, "left-hand", "LeftHand left_thumb"}));

TEST(Words, ThatNameNoPartSayNothing) {
  for (const std::string label :
       {"*12", "Channel103", "Unnamed", "P7", "", "Marker3", "x52", "QWX",
        "foo", "KNEE", "Wand", "Box1", "M012"}) {
    EXPECT_EQ(SegmentOf(label), "nothing") << label;
  }
}

TEST(Words, PutMedialMarkersOnTheInnerSide) {
  for (const std::string label : {"LKNM", "L.Knee.Med", "l_mknee", "LMFC"}) {
    EXPECT_LT(ReadLabel(label).front().at.x(), 0) << label;
  }
  for (const std::string label : {"RKNM", "R.Knee.Med", "r_mknee", "RMMAL"}) {
    EXPECT_GT(ReadLabel(label).front().at.x(), 0) << label;
  }
}

TEST(Words, OfAClusterAreVague) {
  EXPECT_GT(ReadLabel("R_THIGH_3").front().spread,
            2 * ReadLabel("RKNE").front().spread);
}

TEST(Words, OfTwoLettersAreLessSureThanFullOnes) {
  EXPECT_LT(ReadLabel("RLE").front().confidence,
            ReadLabel("R.Knee.Lat").front().confidence);
}

TEST(ComputedPoints, AreFramesOfFourPoints) {
  const std::vector<bool> computed =
      FindComputedPoints({"LFEO", "LFEA", "LFEL", "LFEP", "LTOE", "LASI"});
  EXPECT_EQ(computed,
            std::vector<bool>({true, true, true, true, false, false}));
}

}  // namespace
}  // namespace limber::test
