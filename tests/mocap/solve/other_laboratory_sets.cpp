// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/solve/other_laboratories.h"

namespace limber::test {

const std::vector<Laboratory>& Laboratories() {
  static const std::vector<Laboratory> laboratories = {
      {"Animation 41 of a stage", "L", "R",
       "HeadTop=headtop HeadFront=forehead HeadSide=ear.r Chest=sternum "
       "BackTop=c7 BackLeft=shoulderblade.l BackRight=shoulderblade.r "
       "Waist%Front=asis Waist%Back=psis %ShoulderTop=acromion "
       "%ShoulderBack=shoulderback %UArmHigh=deltoid %ElbowOut=elbowlat "
       "%WristOut=ulna %WristIn=radius %HandOut=knuckle5 %HandIn=knuckle2 "
       "%Thigh=thigh %KneeOut=kneelat %Shin=shankfront %AnkleOut=anklelat "
       "%Heel=heel %ToeIn=mt1 %ToeOut=mt5 %ToeTip=toe"},
      {"Biomechanics 57 in anatomical letters", "L", "R",
       "%IAS=asis %IPS=psis %FTC=trochanter %FLE=kneelat %FME=kneemed "
       "%FAX=fibula %TTC=tuberosity %FAL=anklelat %TAM=anklemed %FCC=heel "
       "%FM1=mt1 %FM2=mt2 %FM5=mt5 %DP1=toe CV7=c7 TV2=t2 TV7=t8 LV1=l1 "
       "SJN=jugular SXS=xiphoid %CAJ=acromion %HGT=deltoid %HLE=elbowlat "
       "%HME=elbowmed %UOA=olecranon %RSP=radius %USP=ulna %HM2=knuckle2 "
       "%HM5=knuckle5 %AH=headfront %PH=headback"},
      {"Cleveland clinic", "L", "R",
       "Top.Head=headtop Front.Head=forehead Rear.Head=occiput "
       "%.Shoulder=acromion R.Offset=shoulderblade.r %.Elbow=elbowlat "
       "%.Wrist=wrist %.ASIS=asis V.Sacral=sacrum %.Thigh.Upper=thigh1 "
       "%.Thigh.Front=thighfront %.Thigh.Rear=thigh4 %.Knee=kneelat "
       "%.Shank.Upper=shank1 %.Shank.Front=shankfront %.Shank.Rear=shank4 "
       "%.Ankle=anklelat %.Heel=heel %.Toe=mt2"},
      {"Clusters on plates", "L", "R",
       "PELV1=pelvis1 PELV2=pelvis2 PELV3=pelvis3 PELV4=pelvis4 "
       "TRNK1=trunk1 TRNK2=trunk2 TRNK3=trunk3 TRNK4=trunk4 %THI1=thigh1 "
       "%THI2=thigh2 %THI3=thigh3 %THI4=thigh4 %SHA1=shank1 %SHA2=shank2 "
       "%SHA3=shank3 %SHA4=shank4 %FOO1=foot1 %FOO2=foot2 %FOO3=foot3 "
       "%KNL=kneelat %KNM=kneemed %ANL=anklelat %ANM=anklemed"},
      {"Conventional gait 2.3", "L", "R",
       "%ASI=asis %PSI=psis %THI=thigh %THAP=thighfront %THAD=thighlow "
       "%KNE=kneelat %KNM=kneemed %TIB=shank %TIAP=shankfront %TIAD=shank3 "
       "%ANK=anklelat %MED=anklemed %HEE=heel %SMH=mt2 %FMH=mt1 %VMH=mt5"},
      {"Dutch words", "links", "rechts",
       "bekken_voor_%=asis bekken_achter_%=psis bovenbeen_%=thigh "
       "knie_%=kneelat onderbeen_%=shank enkel_%=anklelat hiel_%=heel "
       "teen_%=mt2 schouder_%=acromion elleboog_%=elbowlat pols_%=wrist "
       "hoofd_voor=forehead hoofd_achter=occiput borst=sternum nek=c7"},
      {"English sentences", "left", "right",
       "%~anterior~superior~iliac~spine=asis "
       "%~posterior~superior~iliac~spine=psis %~greater~trochanter=trochanter "
       "%~lateral~femoral~condyle=kneelat %~medial~femoral~condyle=kneemed "
       "%~lateral~malleolus=anklelat %~medial~malleolus=anklemed "
       "%~calcaneus=heel %~head~of~first~metatarsal=mt1 "
       "%~head~of~fifth~metatarsal=mt5 %~acromion~process=acromion "
       "%~lateral~humeral~epicondyle=elbowlat %~ulnar~styloid=ulna "
       "%~radial~styloid=radius seventh~cervical~vertebra=c7 "
       "tenth~thoracic~vertebra=t10 suprasternal~notch=jugular "
       "xiphoid~process=xiphoid"},
      {"French words", "G", "D",
       "EIAS_%=asis EIPS_%=psis Cuisse_%1=thigh1 Cuisse_%2=thigh3 "
       "Genou_Ext_%=kneelat Genou_Int_%=kneemed Jambe_%1=shank1 "
       "Jambe_%2=shank3 Malleole_Ext_%=anklelat Malleole_Int_%=anklemed "
       "Talon_%=heel Orteil_%=mt2 Epaule_%=acromion Coude_%=elbowlat "
       "Poignet_%=wrist Tete_Av=forehead Tete_Ar=occiput Sternum=sternum "
       "C7=c7"},
      {"German words", "links", "rechts",
       "Becken_vorne_%=asis Becken_hinten_%=psis Oberschenkel_%_1=thigh1 "
       "Oberschenkel_%_2=thigh3 Knie_aussen_%=kneelat Knie_innen_%=kneemed "
       "Unterschenkel_%_1=shank1 Unterschenkel_%_2=shank3 "
       "Knoechel_aussen_%=anklelat Knoechel_innen_%=anklemed Ferse_%=heel "
       "Zehe_%=mt2 Schulter_%=acromion Ellbogen_%=elbowlat "
       "Handgelenk_%=wrist Kopf_vorne=forehead Kopf_hinten=occiput "
       "Brustbein=sternum C7=c7"},
      {"Helen Hayes legs with wands", "L", "R",
       "%ASIS=asis SACRUM=sacrum %THIGHWAND=thigh %KNEE=kneelat "
       "%SHANKWAND=shank %ANKLE=anklelat %HEEL=heel %TOE=mt2"},
      {"Human body model 47", "L", "R",
       "%HEAD=ear HEAD=headtop T10=t10 SACR=sacrum NAVE=navel XYPH=xiphoid "
       "STRN=jugular C7=c7 BBAC=shoulderblade.r %SHO=acromion %DELT=deltoid "
       "%LEE=elbowlat %MEE=elbowmed %FRM=forearm %MW=radius %LW=ulna "
       "%FIN=knuckle3 %ASIS=asis %PSIS=psis %GTRO=trochanter %LTHI=thighlow "
       "%LEK=kneelat %ATI=shankfront %LM=anklelat %HEE=heel %TOE=mt2 "
       "%MT5=mt5"},
      {"ISB arm with trunk", "L", "R",
       "IJ=jugular PX=xiphoid C7=c7 T8=t8 RAC=acromion.r "
       "RUA1=upperarm1.r RUA2=upperarm2.r RUA3=upperarm3.r REL=elbowlat.r "
       "REM=elbowmed.r RFA1=forearm1.r RFA2=forearm2.r RFA3=forearm3.r "
       "RRS=radius.r RUS=ulna.r RMC2=knuckle2.r RMC5=knuckle5.r"},
      {"Italian words", "sx", "dx",
       "SIAS~%=asis SIPS~%=psis coscia~%=thigh ginocchio~%=kneelat "
       "gamba~%=shank malleolo~%=anklelat tallone~%=heel metatarso~%=mt2 "
       "spalla~%=acromion gomito~%=elbowlat polso~%=wrist testa~%=ear C7=c7 "
       "sterno=sternum sacro=sacrum"},
      {"Joint centres from cameras", "L", "R",
       "Hip=midhip %Hip=hipcentre %Knee=kneecentre %Ankle=anklecentre "
       "%BigToe=toe %SmallToe=smalltoe %Heel=heellow Neck=neck "
       "Head=headcentre Nose=nose %Shoulder=shouldercentre "
       "%Elbow=elbowcentre %Wrist=wristcentre"},
      {"KIT whole body", "L", "R",
       "%FHD=headfront %BHD=headback C7=c7 T10=t10 L3=l3 CLAV=jugular "
       "STRN=xiphoid %SHO=acromion %UPA=upperarm %AEL=elbowlat %AOL=olecranon "
       "%FRA=forearm %WTS=radius %WPS=ulna %HTS=knuckle2 %HPS=knuckle5 "
       "%ASI=asis %PSI=psis %HIP=trochanter %THI=thigh %KNE=kneelat "
       "%TIP=tuberosity %TIB=shank %ANK=anklelat %HEE=heel %MT1=mt1 %MT5=mt5 "
       "%TOE=mt2"},
      {"Lower body of a shoe maker", "L", "R",
       "%_ASIS=asis %_PSIS=psis %_ILCREST=crest %_TROCH=trochanter "
       "%_TH_UF=thigh1 %_TH_UR=thigh2 %_TH_LF=thigh3 %_TH_LR=thigh4 "
       "%_KNEE_LAT=kneelat %_KNEE_MED=kneemed %_SK_UF=shank1 %_SK_UR=shank2 "
       "%_SK_LF=shank3 %_SK_LR=shank4 %_ANK_LAT=anklelat %_ANK_MED=anklemed "
       "%_HEEL_LOW=heellow %_HEEL_UP=heel %_HEEL_LAT=heellat %_MET1=mt1 "
       "%_MET5=mt5 %_TOE=toe"},
      {"Motion Analysis full body", "L", "R",
       "Top.Head=headtop %.Front.Head=headfront %.Back.Head=headback "
       "%.Shoulder=acromion %.Bicep=upperarm %.Elbow=elbowlat "
       "%.Elbow.Medial=elbowmed %.Forearm=forearm %.Radius=radius %.Ulna=ulna "
       "%.Pinky=knuckle5 %.Thumb=knuckle2 Neck=c7 Sternum=sternum "
       "T10=t10 %.ASIS=asis %.PSIS=psis %.Thigh=thigh %.Knee=kneelat "
       "%.Knee.Medial=kneemed %.Shank=shank %.Ankle=anklelat "
       "%.Ankle.Medial=anklemed %.Heel=heel %.Toe=mt2 %.Foot.Lat=mt5"},
      {"OpenCap study", "L", "R",
       "C7_study=c7 %_shoulder_study=acromion %_lelbow_study=elbowlat "
       "%_melbow_study=elbowmed %_lwrist_study=ulna %_mwrist_study=radius "
       "%.ASIS_study=asis %.PSIS_study=psis %_knee_study=kneelat "
       "%_mknee_study=kneemed %_ankle_study=anklelat %_mankle_study=anklemed "
       "%_toe_study=mt1 %_5meta_study=mt5 %_calc_study=heel "
       "%_thigh1_study=thigh1 %_thigh2_study=thigh2 %_thigh3_study=thigh3 "
       "%_sh1_study=shank1 %_sh2_study=shank2 %_sh3_study=shank3 "
       "%HJC_study=hipcentre"},
      {"Oxford foot and legs", "L", "R",
       "%ASI=asis SACR=sacrum %THI=thigh %KNE=kneelat %KNM=kneemed "
       "%HFB=fibula %TUB=tuberosity %SHN=shankfront %ANK=anklelat "
       "%MMA=anklemed %CPG=heellow %HEE=heel %LCA=heellat %STL=heelmed "
       "%P1M=mt1base %P5M=mt5base %D1M=mt1 %D5M=mt5 %TOE=mt2 %HLX=toe"},
      {"Plain 14", "l", "r",
       "%_hip=trochanter %_knee=kneelat %_ankle=anklelat %_foot=mt2 "
       "%_shoulder=acromion %_elbow=elbowlat %_wrist=wrist sternum=sternum "
       "sacrum=sacrum head_left=ear.l head_right=ear.r"},
      {"Portuguese words", "E", "D",
       "EIAS_%=asis EIPS_%=psis Coxa_%=thigh Joelho_%=kneelat Perna_%=shank "
       "Tornozelo_%=anklelat Calcanhar_%=heel Dedo_pe_%=mt2 Ombro_%=acromion "
       "Cotovelo_%=elbowlat Punho_%=wrist Cabeca_frente=forehead "
       "Cabeca_tras=occiput Esterno=sternum C7=c7"},
      {"Production 53", "L", "R",
       "ARIEL=headtop %FHD=headfront %BHD=headback C7=c7 T10=t10 "
       "CLAV=jugular STRN=xiphoid %BAC=shoulderblade %SHO=acromion "
       "%UPA=upperarm %ELB=elbowlat %IEL=elbowmed %FRM=forearm %OWR=ulna "
       "%IWR=radius %OHAND=knuckle5 %IHAND=knuckle2 %FWT=asis %BWT=psis "
       "%THI=thigh %KNE=kneelat %KNI=kneemed %SHN=shank %ANK=anklelat "
       "%HEL=heel %TOE=toe %MT1=mt1 %MT5=mt5"},
      {"Rizzoli trunk and legs", "L", "R",
       "%ASIS=asis %PSIS=psis %GT=trochanter %LE=kneelat %ME=kneemed "
       "%HF=fibula %TT=tuberosity %LM=anklelat %MM=anklemed %CA=heel %FM=mt1 "
       "%SM=mt2 %VM=mt5 %A=acromion C7=c7 T2=t2 MAI=t8 IJ=jugular PX=xiphoid "
       "L1=l1 L3=l3 L5=l5"},
      {"Running clinic", "Left", "Right",
       "%AnteriorPelvis=asis %PosteriorPelvis=psis %ThighTop=thigh1 "
       "%ThighMid=thigh2 %ThighBottom=thigh3 %LateralKnee=kneelat "
       "%MedialKnee=kneemed %ShankTop=shank1 %ShankMid=shank2 "
       "%ShankBottom=shank3 %LateralAnkle=anklelat %MedialAnkle=anklemed "
       "%HeelTop=heel %HeelBottom=heellow %FirstMetHead=mt1 "
       "%FifthMetHead=mt5"},
      {"Segments of an inertial suit", "Left", "Right",
       "pSacrum=sacrum p%ASI=asis p%CSI=crest pC7SpinalProcess=c7 "
       "pT8SpinalProcess=t8 pT12SpinalProcess=t12 pIJ=jugular pPX=xiphoid "
       "p%Acromion=acromion p%ArmLatEpicondyle=elbowlat "
       "p%ArmMedEpicondyle=elbowmed p%Olecranon=olecranon "
       "p%UlnarStyloid=ulna p%RadialStyloid=radius p%TopOfHand=hand "
       "p%Pinky=knuckle5 p%GreaterTrochanter=trochanter "
       "p%KneeLatEpicondyle=kneelat p%KneeMedEpicondyle=kneemed "
       "p%Patella=patella p%TibialTub=tuberosity p%LatMalleolus=anklelat "
       "p%MedMalleolus=anklemed p%HeelFoot=heel p%FirstMetatarsal=mt1 "
       "p%FifthMetatarsal=mt5 p%Toe=toe pTopOfHead=headtop "
       "p%Auricularis=ear pBackOfHead=occiput"},
      {"Spanish words", "izq", "der",
       "cadera_ant_%=asis cadera_post_%=psis muslo_%=thigh rodilla_%=kneelat "
       "pierna_%=shank tobillo_%=anklelat talon_%=heel pie_%=mt2 "
       "hombro_%=acromion codo_%=elbowlat muneca_%=wrist "
       "cabeza_frente=forehead cabeza_atras=occiput esternon=sternum C7=c7"},
      {"Sports set", "L", "R",
       "HeadL=headfront.l HeadR=headfront.r HeadFront=forehead "
       "%ShoulderTop=acromion %Arm=upperarm %ElbowOut=elbowlat "
       "%ElbowIn=elbowmed %WristOut=ulna %WristIn=radius %HandOut=knuckle5 "
       "%HandIn=knuckle2 Chest=sternum SpineTop=c7 SpineThoracic2=t2 "
       "SpineThoracic12=t12 Waist%Front=asis Waist%Back=psis "
       "WaistBack=sacrum %ThighFrontLow=thighlow %KneeOut=kneelat "
       "%KneeIn=kneemed %ShinFrontHigh=shankfront %AnkleOut=anklelat "
       "%AnkleIn=anklemed %HeelBack=heel %ForefootOut=mt5 %ForefootIn=mt1 "
       "%Forefoot2=mt2"},
      {"Upper body of a workplace", "L", "R",
       "%FHD=headfront %BHD=headback C7=c7 T10=t10 CLAV=jugular "
       "STRN=xiphoid %SHO=acromion %UPA1=upperarm1 %UPA2=upperarm2 "
       "%UPA3=upperarm3 %ELBL=elbowlat %ELBM=elbowmed %FRA1=forearm1 "
       "%FRA2=forearm2 %WRR=radius %WRU=ulna %FIN2=knuckle2 %FIN5=knuckle5 "
       "%ASIS=asis %PSIS=psis"},
      {"Wands and rods of an active system", "L", "R",
       "%.PSIS=psis %.ASIS=asis %.Fem.Ant.Wand=thighfront "
       "%.Fem.Post.Wand=thigh4 %.Knee=kneelat %.Tib.Ant.Wand=shankfront "
       "%.Tib.Post.Wand=shank4 %.Ankle=anklelat %.Heel=heel %.Toe=mt5"},
      {"Western Australia", "L", "R",
       "%ASI=asis %PSI=psis %TH1=thigh1 %TH2=thigh2 %TH3=thigh3 "
       "%LFC=kneelat %MFC=kneemed %TB1=shank1 %TB2=shank2 %TB3=shank3 "
       "%LMAL=anklelat %MMAL=anklemed %CAL=heel %MT1=mt1 %MT5=mt5 C7=c7 "
       "T10=t10 CLAV=jugular STRN=xiphoid %ACR1=acromion1 %ACR2=acromion2 "
       "%ACR3=acromion3 %UA1=upperarm1 %UA2=upperarm2 %UA3=upperarm3 "
       "%LHE=elbowlat %MHE=elbowmed %FA1=forearm1 %FA2=forearm2 "
       "%FA3=forearm3 %WRR=radius %WRU=ulna %HNR=knuckle2 %HNU=knuckle5 "
       "%FHD=headfront %BHD=headback"},
  };
  return laboratories;
}

}  // namespace limber::test
